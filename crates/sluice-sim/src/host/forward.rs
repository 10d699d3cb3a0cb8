//! Laws around a law.

/// The methods of `HostLaw` that a law around another, in its field `law`, hands on unchanged; it
/// writes the others itself.
macro_rules! forward_to_law {
    () => {
        fn on_recovered(&mut self) {
            self.law.on_recovered();
        }

        fn on_rate_sample(&mut self, sample: &sluice_laws::host::RateSample) {
            self.law.on_rate_sample(sample);
        }

        fn on_telemetry(&mut self, hops: &[sluice_laws::telemetry::HopReading]) {
            self.law.on_telemetry(hops);
        }

        fn on_new_path(&mut self, hops: u32) {
            self.law.on_new_path(hops);
        }

        fn window(&self) -> u32 {
            self.law.window()
        }

        fn rate(&self) -> Option<sluice_units::Rate> {
            self.law.rate()
        }

        fn probe_after(&self) -> Option<sluice_units::Span> {
            self.law.probe_after()
        }

        fn service(&self) -> sluice_laws::host::Service {
            self.law.service()
        }

        fn status(&self) -> Option<sluice_laws::host::FlowStatus> {
            self.law.status()
        }

        fn needs_rate_samples(&self) -> bool {
            self.law.needs_rate_samples()
        }

        fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
            self.law.metrics(out);
        }
    };
}

pub(crate) use forward_to_law;
