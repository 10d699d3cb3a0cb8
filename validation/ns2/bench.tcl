# The speed scenario dumbbell-xcp-155: 50 XCP flows and 50 reverse ones over a 155 Mb/s bottleneck,
# every host on its own 1 Gb/s access link, RTTs spread evenly over 60 to 100 ms. The network and the
# starts are those of scenarios/dumbbell-xcp-155.toml. No tracing, no meters.
#
#   ns bench.tcl [-stop 10] [-seed 1] [-scheduler Calendar|Heap|List|Splay]
#
# Prints the data packets that reached their receivers, the time on a core between the first event and
# the last (so without building the network), and their ratio.

source [file join [file dirname [info script]] lib.tcl]

array set opt [options $argv {stop 10 seed 1 scheduler Calendar flows 50 tick 0.0001}]
set mbps 155
set bottleneck_delay 0.020

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
set ns [new Simulator]
$ns use-scheduler $opt(scheduler)

# Pair i has an RTT of 60 + 40 i / 49 ms; what the bottleneck leaves of half of it is shared evenly
# by its two access links (5 to 15 ms each).
for {set i 0} {$i < $opt(flows)} {incr i} {
    set rtt [expr {0.060 + 0.040 * $i / ($opt(flows) - 1)}]
    lappend access [expr {($rtt / 2 - $bottleneck_delay) / 2}]
}
# The buffer is the bandwidth-delay product of the longest RTT.
dumbbell $mbps $bottleneck_delay [bdp_limit $mbps 0.100] 1000 $access

# Starts are 3.2 ms apart in each direction, the reverse ones halfway between.
for {set i 0} {$i < $opt(flows)} {incr i} {
    lappend receivers [long_flow $left($i) $right($i) [expr {0.0032 * $i}]]
    lappend receivers [long_flow $right($i) $left($i) [expr {0.0032 * $i + 0.0016}]]
}

# Seconds that this process spent on a core, so that a busy machine is not timed; the wall clock where
# the kernel does not report it.
proc core_seconds {} {
    if {[catch {open /proc/self/schedstat} channel]} {
        return [expr {[clock clicks -milliseconds] / 1000.0}]
    }
    set seconds [expr {[lindex [read $channel] 0] * 1e-9}]
    close $channel
    return $seconds
}

proc finish {} {
    global opt receivers began data_bytes control_bytes
    set spent [expr {[core_seconds] - $began}]
    set packets 0
    foreach bytes [received $receivers] {
        if {$bytes > 0} {
            # The SYN counts as control_bytes received.
            incr packets [expr {int(($bytes - $control_bytes) / $data_bytes)}]
        }
    }
    puts "simulated_seconds\t$opt(stop)"
    puts "delivered_data_packets\t$packets"
    puts "core_seconds\t$spent"
    puts "packets_per_second\t[format %.0f [expr {$packets / $spent}]]"
    exit 0
}

$ns at 0 {set began [core_seconds]}
$ns at $opt(stop) finish
$ns run
