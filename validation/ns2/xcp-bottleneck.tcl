# XCP over one bottleneck: the set-ups of sections 5.2 to 5.5 of Katabi's thesis.
#
#   ns xcp-bottleneck.tcl -flows FILE [-mbps 155] [-rtt 0.080] [-spread 0] [-pairs 50] [-delay 0.030]
#     [-access 1000] [-buffer 1550] [-error 0] [-warmup 10] [-stop 30] [-bin 0] [-seed 1]
#     [-minrto 0.2] [-tick 0.0001] [-limit bytes|packets] [-agent "bugFix_ false ..."]
#
# The pairs of hosts have RTTs evenly over -rtt plus and minus half of -spread; -delay is the bottleneck's
# share one way. -buffer is in packets of 1000 bytes, -limit what it counts. The bottleneck loses packets
# in transit with probability -error, in either direction. -agent sets variables of Agent/TCP.
#
# FILE has a line for each flow: direction (forward or reverse), pair, start in seconds, stop in seconds
# or "-", size in packets or "-".
#
# Prints "direction <tab> name <tab> value" for [warmup, stop], and for each flow with a size
# "completed <tab> its number in FILE <tab> seconds" from its start to the arrival of its last packet.
# With -bin, prints a table instead, with a row for each bin of that many seconds from time zero: its end,
# utilization forward, mean queue in bytes and in packets, drops, and throughput of each flow in Mb/s.

source [file join [file dirname [info script]] lib.tcl]
source [file join [file dirname [info script]] short.tcl]
source [file join [file dirname [info script]] bins.tcl]

array set opt [options $argv {
    flows "" mbps 155 rtt 0.080 spread 0 pairs 50 delay 0.030 access 1000 buffer 1550 error 0
    warmup 10 stop 30 bin 0 seed 1 minrto 0.2 tick 0.0001 limit bytes agent ""
}]

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
Agent/TCP set minrto_ $opt(minrto)
foreach {name value} $opt(agent) {
    Agent/TCP set $name $value
}
limits_count $opt(limit)
set ns [new Simulator]
# Each of the four passages over access links takes a quarter of what the bottleneck leaves of an RTT.
for {set i 0} {$i < $opt(pairs)} {incr i} {
    set place [expr {$opt(pairs) > 1 ? double($i) / ($opt(pairs) - 1) - 0.5 : 0}]
    lappend access [expr {($opt(rtt) - 2 * $opt(delay) + $opt(spread) * $place) / 4}]
}
# DropTail drops what would make the queue reach its limit.
dumbbell $opt(mbps) $opt(delay) [expr {$opt(buffer) + 1}] $opt(access) $access
if {$opt(error) > 0} {
    foreach {a b} {0 1 1 0} {
        set errors [new ErrorModel]
        $errors unit pkt
        $errors set rate_ $opt(error)
        $errors ranvar [new RandomVariable/Uniform]
        $ns link-lossmodel $errors $router($a) $router($b)
        # No meter counts these losses.
        $errors drop-target [new Agent/Null]
    }
}

array set receivers {forward {} reverse {}}
set number 0
foreach line [split [string trim [read [open $opt(flows)]]] \n] {
    lassign $line direction pair start stop packets
    set from [expr {$direction eq "forward" ? $left($pair) : $right($pair)}]
    set to [expr {$direction eq "forward" ? $right($pair) : $left($pair)}]
    if {$packets ne "-"} {
        $ns at $start [list short_flow $from $to $packets $number]
    } else {
        lappend receivers($direction) [long_flow $from $to $start]
        if {$stop ne "-"} {
            # As an FTP application stops.
            set sender $sender_of([lindex $receivers($direction) end])
            $ns at $stop "$sender advance 0; $sender close"
        }
    }
    incr number
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
    global opt meters receivers sender_of link_then bytes_then
    set seconds [expr {double($opt(stop) - $opt(warmup))}]
    foreach direction {forward reverse} {
        set link_now [reading $meters($direction)]
        foreach {name value} \
            [link_statistics $link_then($direction) $link_now $seconds $opt(mbps)] {
            puts "$direction\t$name\t$value"
        }
        # From time zero, since that is when a bad start would lose packets.
        puts "$direction\tdrops_ever\t[lindex $link_now 2]"
        set timeouts 0
        foreach receiver $receivers($direction) {
            incr timeouts [$sender_of($receiver) set nrexmit_]
        }
        puts "$direction\ttime_outs_ever\t$timeouts"
        set i 0
        foreach rate [rates $bytes_then($direction) [received $receivers($direction)] $seconds] {
            puts "$direction\tflow[incr i]_mbps\t$rate"
        }
    }
    print_completions
    exit 0
}

if {$opt(bin) > 0} {
    print_bins $meters(forward) $receivers(forward) $opt(mbps) $opt(bin) $opt(stop)
} else {
    $ns at $opt(warmup) begin
    $ns at $opt(stop) finish
}
$ns run
