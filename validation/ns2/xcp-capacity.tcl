# Katabi's thesis, Figure 5-3 (section 5.2.1): 50 long XCP flows and 50 reverse ones over one
# bottleneck, RTT 80 ms, buffer one bandwidth-delay product.
#
#   ns xcp-capacity.tcl -mbps 155 -seed 1 [-starts FILE] [-warmup 10] [-stop 30] [-tick 0.0001]
#     [-spread 0.010] [-limit bytes|packets]
#
# FILE holds 100 start times in seconds: 50 forward, then 50 reverse. Without it they are drawn,
# exponential with mean 2 RTT. -spread gives the pairs of hosts RTTs evenly over 80 ms plus and minus
# half of it; the default is the thesis' equal RTTs. -limit says what the bottleneck's buffer counts.
# Prints "direction <tab> name <tab> value" for [warmup, stop].

source [file join [file dirname [info script]] lib.tcl]

array set opt [options $argv {
    mbps 155 seed 1 starts "" warmup 10 stop 30 tick 0.0001 flows 50 spread 0 limit bytes
}]
set rtt 0.080
set access_mbps [expr {$opt(mbps) > 500 ? 10000 : 1000}]

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
limits_count $opt(limit)
set ns [new Simulator]
# Half an RTT one way: 5 ms + 30 ms + 5 ms. A quarter of what a pair's RTT has more goes to each of
# its passages over an access link.
for {set i 0} {$i < $opt(flows)} {incr i} {
    lappend access [expr {0.005 + $opt(spread) / 4 * (double($i) / ($opt(flows) - 1) - 0.5)}]
}
dumbbell $opt(mbps) 0.030 [bdp_limit $opt(mbps) $rtt] $access_mbps $access

set starts [start_times $opt(starts) [expr {2 * $opt(flows)}] [expr {2 * $rtt}]]
for {set i 0} {$i < $opt(flows)} {incr i} {
    lappend receivers(forward) [long_flow $left($i) $right($i) [lindex $starts $i]]
    lappend receivers(reverse) \
        [long_flow $right($i) $left($i) [lindex $starts [expr {$i + $opt(flows)}]]]
}
set meters(forward) [meter $router(0) $router(1)]
set meters(reverse) [meter $router(1) $router(0)]

proc begin {} {
    global meters receivers link_then bytes_then
    foreach direction {forward reverse} {
        set link_then($direction) [reading $meters($direction)]
        set bytes_then($direction) [received $receivers($direction)]
    }
}

proc finish {} {
    global opt meters receivers link_then bytes_then
    set seconds [expr {double($opt(stop) - $opt(warmup))}]
    foreach direction {forward reverse} {
        set link_now [reading $meters($direction)]
        foreach {name value} \
            [link_statistics $link_then($direction) $link_now $seconds $opt(mbps)] {
            puts "$direction\t$name\t$value"
        }
        # From time zero, since that is when a bad start would lose packets.
        puts "$direction\tdrops_ever\t[lindex $link_now 2]"
        set i 0
        foreach rate [rates $bytes_then($direction) [received $receivers($direction)] $seconds] {
            puts "$direction\tflow[incr i]_mbps\t$rate"
        }
    }
    exit 0
}

$ns at $opt(warmup) begin
$ns at $opt(stop) finish
$ns run
