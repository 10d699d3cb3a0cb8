# 50 long TCP flows and 50 reverse ones over one bottleneck, buffer one bandwidth-delay product in
# bytes. The network is that of xcp-bottleneck.tcl.
#
#   ns tcp-two-way.tcl -tcp reno|newreno|sack -mbps 155 -seed 1 [-queue DropTail|RED|REM|Vq]
#     [-ecn 1] [-delayed 1] [-spread 0.010] [-starts FILE] [-warmup 10] [-stop 30] [-tick 0.0001] [-agent "windowOption_ 0 ..."]
#
# RED, REM and AVQ (Vq) have the parameters of the thesis (3.2, 5.1). -ecn 1 has them mark packets.
# -delayed 1 has receivers acknowledge every second packet, or after 100 ms. -agent sets variables
# of Agent/TCP over the ones here. FILE holds 100 start times in seconds: 50 forward, then 50
# reverse. Prints "direction <tab> name <tab> value" for [warmup, stop]; drops_ever is from time zero.

source [file join [file dirname [info script]] lib.tcl]
source [file join [file dirname [info script]] queues.tcl]

array set opt [options $argv {
    tcp sack mbps 155 delayed 0 seed 1 starts "" warmup 10 stop 30 tick 0.0001 flows 50 spread 0
    agent "" queue DropTail ecn 0
}]
set rtt 0.080
array set senders {reno TCP/Reno newreno TCP/Newreno sack TCP/Sack1}
set receiver [expr {$opt(tcp) eq "sack" ? "TCPSink/Sack1" : "TCPSink"}]
if {$opt(delayed)} {
    append receiver /DelAck
}

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
# RFC 6298's time-out before the first sample; the least one, 0.2 s, is ns-2's default.
Agent/TCP set rtxcur_init_ 1.0
# Time stamps, as Sluice's senders have them: each ACK is an RTT sample and ends the back-off. With
# useHeaders_ off they take no bytes.
Agent/TCP set timestamps_ true
Agent/TCP set ts_resetRTO_ true
Agent/TCP set ecn_ $opt(ecn)
foreach {name value} $opt(agent) {
    Agent/TCP set $name $value
    # NewReno's own variables are read from its class.
    Agent/TCP/Newreno set $name $value
}
set ns [new Simulator]
for {set i 0} {$i < $opt(flows)} {incr i} {
    lappend access [expr {0.005 + $opt(spread) / 4 * (double($i) / ($opt(flows) - 1) - 0.5)}]
}
# Thresholds and target as parts of the buffer; REM's period is the time of ten packets.
set buffer [expr {$opt(mbps) * 1e6 * $rtt / 8 / $data_bytes}]
configure_red [expr {$buffer / 3}] [expr {2 * $buffer / 3}] bytes $opt(ecn) true true
configure_rem [expr {$buffer / 3}] [expr {80.0 * $data_bytes / ($opt(mbps) * 1e6)}] bytes $opt(ecn)
configure_avq $opt(ecn)
# Vq admits what fits, RED what finds room for one byte.
set limit [bdp_limit $opt(mbps) $rtt]
if {$opt(queue) in {RED Vq}} {
    incr limit -1
}
dumbbell $opt(mbps) 0.030 $limit [expr {10 * $opt(mbps)}] $access $opt(queue)

set starts [start_times $opt(starts) [expr {2 * $opt(flows)}] [expr {2 * $rtt}]]
foreach direction {forward reverse} from {left right} to {right left} first "0 $opt(flows)" {
    for {set i 0} {$i < $opt(flows)} {incr i} {
        lappend receivers($direction) [long_flow [set ${from}($i)] [set ${to}($i)] \
            [lindex $starts [expr {$first + $i}]] [list $senders($opt(tcp)) $receiver]]
    }
}
set meters(forward) [meter $router(0) $router(1)]
set meters(reverse) [meter $router(1) $router(0)]

# A direction's receivers, link and senders at this moment.
proc look {direction} {
    global meters receivers sender_of
    set resent 0
    set timeouts 0
    foreach receiver $receivers($direction) {
        incr resent [$sender_of($receiver) set nrexmitpack_]
        incr timeouts [$sender_of($receiver) set nrexmit_]
    }
    return [list [reading $meters($direction)] [received $receivers($direction)] $resent \
        $timeouts [$meters($direction) set pmarks_]]
}

proc begin {} {
    global then
    foreach direction {forward reverse} {
        set then($direction) [look $direction]
    }
}

proc finish {} {
    global opt then
    set seconds [expr {double($opt(stop) - $opt(warmup))}]
    foreach direction {forward reverse} {
        lassign $then($direction) link_then bytes_then resent_then timeouts_then marks_then
        lassign [look $direction] link_now bytes_now resent timeouts marks
        foreach {name value} [link_statistics $link_then $link_now $seconds $opt(mbps)] {
            puts "$direction\t$name\t$value"
        }
        puts "$direction\tdrops_ever\t[lindex $link_now 2]"
        puts "$direction\tresent\t[expr {$resent - $resent_then}]"
        puts "$direction\ttime_outs\t[expr {$timeouts - $timeouts_then}]"
        if {$opt(ecn)} {
            puts "$direction\tmarks\t[expr {$marks - $marks_then}]"
        }
        set i 0
        foreach rate [rates $bytes_then $bytes_now $seconds] {
            puts "$direction\tflow[incr i]_mbps\t$rate"
        }
    }
    exit 0
}

$ns at $opt(warmup) begin
$ns at $opt(stop) finish
$ns run
