# Katabi's thesis, Figure 5-9 (section 5.3.1): 5 long XCP flows start two seconds apart on a
# 45 Mb/s bottleneck, RTT 40 ms, buffer one bandwidth-delay product.
#
#   ns xcp-convergence.tcl -seed 1 [-starts FILE] [-stop 12] [-bin 0.1] [-tick 0.0001]
#
# FILE holds the 5 start times in seconds; without it flow k starts at 2 k s plus up to one RTT,
# uniformly. Prints a table, one row a bin: its end, utilization, mean queue in bytes and in packets
# (the packet being transmitted included), drops, and each flow's throughput in Mb/s.

source [file join [file dirname [info script]] lib.tcl]

array set opt [options $argv {seed 1 starts "" stop 12 bin 0.1 tick 0.0001}]
set mbps 45
set rtt 0.040
set flows 5

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
set ns [new Simulator]
# Half an RTT one way: 2.5 ms + 15 ms + 2.5 ms.
dumbbell $mbps 0.015 [bdp_limit $mbps $rtt] 1000 [lrepeat $flows 0.0025]

if {$opt(starts) ne ""} {
    set starts [start_times $opt(starts) $flows 0]
} else {
    for {set i 0} {$i < $flows} {incr i} {
        lappend starts [expr {2.0 * $i + $rtt * [$defaultRNG uniform 0 1]}]
    }
}
set header {time utilization queue_bytes queue_packets drops}
for {set i 0} {$i < $flows} {incr i} {
    lappend receivers [long_flow $left($i) $right($i) [lindex $starts $i]]
    lappend header flow[expr {$i + 1}]_mbps
}
set meter [meter $router(0) $router(1)]
puts [join $header \t]

proc begin {} {
    global meter receivers link_then bytes_then
    set link_then [reading $meter]
    set bytes_then [received $receivers]
}

# Prints the bin that ends now and begins the next. The time of a bin comes from its number, so that
# no rounding adds up.
proc end_bin {number} {
    global ns opt mbps meter receivers link_then bytes_then
    array set link [link_statistics $link_then [reading $meter] $opt(bin) $mbps]
    set row [list [format %.3f [expr {$number * $opt(bin)}]]]
    foreach name {utilization queue_bytes queue_packets drops} {
        lappend row [format %.6g $link($name)]
    }
    foreach rate [rates $bytes_then [received $receivers] $opt(bin)] {
        lappend row [format %.6g $rate]
    }
    puts [join $row \t]
    begin
    $ns at [expr {($number + 1) * $opt(bin)}] "end_bin [expr {$number + 1}]"
}

$ns at 0 begin
$ns at $opt(bin) "end_bin 1"
# Half a bin late, so that the last bin is printed.
$ns at [expr {$opt(stop) + $opt(bin) / 2}] "exit 0"
$ns run
