# Five long TCP flows over a bottleneck that they overflow: 10 Mb/s, RTTs evenly over 45 to 55 ms, 50
# packets of buffer, drop tail, RED, REM or AVQ (Vq).
#
#   ns tcp.tcl -tcp reno|newreno|sack -seed 1 [-queue DropTail|RED|REM|Vq] [-starts FILE] [-warmup 60]
#     [-stop 260] [-tick 0.0001]
#
# FILE holds 5 start times in seconds; without it they are drawn, exponential with mean 1 s. Prints
# "direction <tab> name <tab> value" for [warmup, stop].

source [file join [file dirname [info script]] lib.tcl]

array set opt [options $argv {
    tcp newreno queue DropTail seed 1 starts "" warmup 60 stop 260 tick 0.0001 flows 5
}]
set mbps 10
array set agents {
    reno {TCP/Reno TCPSink}
    newreno {TCP/Newreno TCPSink}
    sack {TCP/Sack1 TCPSink/Sack1}
}

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
limits_count packets
set ns [new Simulator]
# One way, 10 ms are the bottleneck's; each of the four passages over access links takes a quarter of
# what a pair's RTT has more than twice that.
for {set i 0} {$i < $opt(flows)} {incr i} {
    lappend access [expr {(0.045 + 0.010 * $i / ($opt(flows) - 1) - 0.020) / 4}]
}
# The gentle RED of the 1993 paper: ns-2's own waits between drops unless `wait_` is off.
Queue/RED set thresh_ 5
Queue/RED set maxthresh_ 15
Queue/RED set linterm_ 10
Queue/RED set q_weight_ 0.002
Queue/RED set gentle_ true
Queue/RED set wait_ false
Queue/RED set bytes_ false
Queue/RED set queue_in_bytes_ false
Queue/RED set mean_pktsize_ $data_bytes
Queue/RED set setbit_ false
# REM with ns-2's defaults, which are Sluice's.
Queue/REM set gamma_ 0.001
Queue/REM set phi_ 1.001
Queue/REM set inw_ 1
Queue/REM set pupdtime_ 0.002
Queue/REM set pbo_ 20
Queue/REM set mean_pktsize_ $data_bytes
Queue/REM set qib_ false
Queue/REM set markpkts_ false
# AVQ with ns-2's defaults, but the virtual capacity starts at the link's.
Queue/Vq set ecnlim_ 1.0
Queue/Vq set buflim_ 1.0
Queue/Vq set gamma_ 0.98
Queue/Vq set queue_in_bytes_ true
Queue/Vq set mean_pktsize_ $data_bytes
Queue/Vq set markpkts_ false
# 50 packets behind the one being transmitted, of which only Vq admits as many as its limit.
set limit [expr {$opt(queue) eq "Vq" ? 50 : 51}]
dumbbell $mbps 0.010 $limit 100 $access $opt(queue)

set starts [start_times $opt(starts) $opt(flows) 1.0]
for {set i 0} {$i < $opt(flows)} {incr i} {
    lappend receivers [long_flow $left($i) $right($i) [lindex $starts $i] $agents($opt(tcp))]
}
set meter [meter $router(0) $router(1)]

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
