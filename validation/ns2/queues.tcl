# The parameters of the queue disciplines that the TCP scripts compare, for queues made from then on.
#
# `unit` is what a queue counts, bytes or packets; `marks` is whether ECN-capable packets are marked
# instead of dropped. Thresholds and targets are in data packets.

# Floyd's note of 1997 has max_p and the weight. Without `use_mark_p_` packets are marked up to a
# probability of 1, as RFC 3168 has it, instead of up to 0.1.
proc configure_red {min_th max_th unit marks wait gentle} {
    global data_bytes
    Queue/RED set thresh_ $min_th
    Queue/RED set maxthresh_ $max_th
    Queue/RED set linterm_ 10
    Queue/RED set q_weight_ 0.002
    Queue/RED set gentle_ $gentle
    Queue/RED set wait_ $wait
    Queue/RED set bytes_ false
    Queue/RED set queue_in_bytes_ [expr {$unit eq "bytes"}]
    Queue/RED set mean_pktsize_ $data_bytes
    Queue/RED set setbit_ $marks
    Queue/RED set use_mark_p_ false
}

# Sluice's REM has the other parameters as its defaults, too.
proc configure_rem {target period unit marks} {
    global data_bytes
    Queue/REM set gamma_ 0.001
    Queue/REM set phi_ 1.001
    Queue/REM set inw_ 1
    Queue/REM set pupdtime_ $period
    Queue/REM set pbo_ $target
    Queue/REM set mean_pktsize_ $data_bytes
    Queue/REM set qib_ [expr {$unit eq "bytes"}]
    Queue/REM set markpkts_ $marks
}

# AVQ; ns-2's alpha is 0.15. The virtual capacity starts at the link's.
proc configure_avq {marks} {
    global data_bytes
    Queue/Vq set ecnlim_ 1.0
    Queue/Vq set buflim_ 1.0
    Queue/Vq set gamma_ 0.98
    Queue/Vq set queue_in_bytes_ true
    Queue/Vq set mean_pktsize_ $data_bytes
    Queue/Vq set markpkts_ $marks
}

# DRR with a quantum of a packet and room for 50 in all; FQ with room for 10 of each flow: nine in its
# queue and one that FQ itself holds. DRR finds flows by a hash of the source.
proc configure_fair {} {
    global data_bytes
    Queue/DRR set quantum_ $data_bytes
    Queue/DRR set blimit_ [expr {50 * $data_bytes}]
    Queue/DRR set buckets_ 64
    # FQ makes these as flows arrive, after all others have limits of their own.
    Queue/DropTail set limit_ 10
}
