//! What a router law that wraps another of XCP's leaves to it.

/// The methods of [`crate::router::RouterLaw`] that a wrapper of the law `$law`, in its field `$field`, need not
/// see.
macro_rules! delegate_to_law {
    ($law:ty, $field:tt) => {
        fn sums(&self) -> Self::Sums {
            self.$field.sums()
        }

        #[inline]
        fn arrive(
            sums: &mut Self::Sums,
            grant: &Self::Grant,
            header: &crate::xcp::header::XcpHeader,
            train: crate::router::Train,
        ) {
            <$law>::arrive(sums, grant, header, train);
        }

        fn fresh(grant: &Self::Grant) -> Self::Budget {
            <$law>::fresh(grant)
        }

        fn renew(grant: &Self::Grant, left: &Self::Budget) -> Self::Budget {
            <$law>::renew(grant, left)
        }

        fn share(grant: &Self::Grant, part: &Self::Sums, whole: &Self::Sums) -> Self::Grant {
            <$law>::share(grant, part, whole)
        }

        fn start(
            &mut self,
            capacity: sluice_units::Rate,
        ) -> (Self::Grant, [sluice_units::Time; crate::router::MAX_TIMERS]) {
            self.$field.start(capacity)
        }

        fn on_budget(&mut self, left: &Self::Budget) {
            self.$field.on_budget(left);
        }

        fn grants(timer: usize) -> bool {
            <$law>::grants(timer)
        }

        fn stamped(&self) -> crate::router::Sampled {
            self.$field.stamped()
        }

        fn queue_sampled(&self) -> crate::router::Sampled {
            self.$field.queue_sampled()
        }

        fn min_queue_counts(&self) -> crate::router::QueueCounts {
            self.$field.min_queue_counts()
        }
    };
}

pub(super) use delegate_to_law;
