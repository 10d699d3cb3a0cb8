# Five long TCP flows over a bottleneck that they overflow: 10 Mb/s, RTTs evenly over 45 to 55 ms, 50
# packets of buffer, drop tail, RED, REM, AVQ (Vq), DRR or FQ.
#
#   ns tcp.tcl -tcp reno|newreno|sack -seed 1 [-queue DropTail|RED|REM|Vq|DRR|FQ] [-wait false]
#     [-gentle true] [-cbr 0] [-starts FILE] [-warmup 60] [-stop 260] [-tick 0.0001]
#
# -cbr adds a stream of datagrams of that many Mb/s, as a sixth flow. FILE holds a start time in seconds
# for each flow; without it they are drawn, exponential with mean 1 s. Prints
# "direction <tab> name <tab> value" for [warmup, stop].

source [file join [file dirname [info script]] lib.tcl]
source [file join [file dirname [info script]] queues.tcl]

array set opt [options $argv {
    tcp newreno queue DropTail seed 1 starts "" warmup 60 stop 260 tick 0.0001 flows 5
    wait false gentle true cbr 0
}]
set mbps 10
# A stream has a pair of hosts of its own, the last.
set pairs [expr {$opt(flows) + ($opt(cbr) > 0)}]
array set agents {
    reno {TCP/Reno TCPSink}
    newreno {TCP/Newreno TCPSink}
    sack {TCP/Sack1 TCPSink/Sack1}
}

# A datagram stream of `mbps` from one node to another from `start` on; returns its receiver.
proc stream {from to start mbps} {
    global ns data_bytes sender_of
    set sender [new Agent/UDP]
    set receiver [new Agent/LossMonitor]
    set sender_of($receiver) $sender
    $ns attach-agent $from $sender
    $ns attach-agent $to $receiver
    $ns connect $sender $receiver
    set cbr [new Application/Traffic/CBR]
    $cbr set packetSize_ $data_bytes
    $cbr set rate_ ${mbps}Mb
    $cbr attach-agent $sender
    $ns at $start "$cbr start"
    return $receiver
}

# The flow number by which FQ tells flows apart.
proc number_flow {receiver number} {
    global sender_of
    $receiver set fid_ $number
    $sender_of($receiver) set fid_ $number
}

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
limits_count packets
# UDP numbers its packets in this header.
add-packet-header RTP
set ns [new Simulator]
# One way, 10 ms are the bottleneck's; each of the four passages over access links takes a quarter of
# what a pair's RTT has more than twice that.
for {set i 0} {$i < $pairs} {incr i} {
    lappend access [expr {(0.045 + 0.010 * $i / ($pairs - 1) - 0.020) / 4}]
}
configure_red 5 15 packets false $opt(wait) $opt(gentle)
configure_rem 20 0.002 packets false
configure_avq false
configure_fair
# 50 packets behind the one being transmitted, of which only Vq and DRR (by its own limit) admit as many
# as their limit. FQ's limit is that of each flow's queue.
set limit [expr {$opt(queue) eq "Vq" ? 50 : 51}]
dumbbell $mbps 0.010 $limit 100 $access $opt(queue)

set starts [start_times $opt(starts) $pairs 1.0]
for {set i 0} {$i < $pairs} {incr i} {
    set ends [list $left($i) $right($i) [lindex $starts $i]]
    lappend receivers [expr {$i < $opt(flows)
        ? [long_flow {*}$ends $agents($opt(tcp))] : [stream {*}$ends $opt(cbr)]}]
    number_flow [lindex $receivers end] $i
}
set meter [meter $router(0) $router(1)]
if {$opt(queue) eq "FQ"} {
    # Queues of flows are made as these arrive, and FQ's link lacks the place where their drops go.
    foreach {a b} {0 1 1 0} {
        set link_of_queue [$ns link $router($a) $router($b)]
        $link_of_queue set drpT_ [$link_of_queue set drophead_]
    }
}

proc begin {} {
    global meter receivers link_then bytes_then
    set link_then [reading $meter]
    set bytes_then [received $receivers]
}

proc finish {} {
    global opt mbps meter receivers link_then bytes_then
    set seconds [expr {double($opt(stop) - $opt(warmup))}]
    set link_now [reading $meter]
    array set link [link_statistics $link_then $link_now $seconds $mbps]
    set link(drop_rate) [expr {$link(drops) / ($link(drops) + $link(data_packets))}]
    foreach name [array names link] {
        puts "forward\t$name\t$link($name)"
    }
    set i 0
    foreach rate [rates $bytes_then [received $receivers] $seconds] {
        puts "forward\tflow[incr i]_mbps\t$rate"
    }
    exit 0
}

$ns at $opt(warmup) begin
$ns at $opt(stop) finish
$ns run
