# Katabi's thesis, Figure 5-8 (section 5.2.6): XCP over a chain of nine links, of which the fifth has half
# the capacity.
#
#   ns xcp-parking-lot.tcl -flows FILE [-mbps "100 100 100 100 50 100 100 100 100"] [-delay 0.020]
#     [-access 1000] [-access_delay 0.001] [-buffer MS] [-warmup 20] [-stop 40] [-seed 1]
#     [-minrto 0.2] [-tick 0.0001]
#
# Host s is at the first router and d at the last one; x(k) and y(k) are at the ends of link k. -buffer
# is in milliseconds at each link's capacity.
#
# FILE has a line for each flow: direction (through, back or cross-k), "0", start in seconds, "-", "-".
#
# Prints "link-k <tab> name <tab> value" for [warmup, stop] and each link forward, and
# "direction <tab> flowN_mbps <tab> value" for each flow.

source [file join [file dirname [info script]] lib.tcl]

array set opt [options $argv {
    flows "" mbps "100 100 100 100 50 100 100 100 100" delay 0.020 access 1000 access_delay 0.001
    buffer 360 warmup 20 stop 40 seed 1 minrto 0.2 tick 0.0001
}]

$defaultRNG seed $opt(seed)
configure_agents $opt(tick)
Agent/TCP set minrto_ $opt(minrto)
set ns [new Simulator]
set hops [llength $opt(mbps)]
for {set i 0} {$i <= $hops} {incr i} {
    set router($i) [$ns node]
}
for {set i 0} {$i < $hops} {incr i} {
    set mbps [lindex $opt(mbps) $i]
    set next [expr {$i + 1}]
    $ns duplex-link $router($i) $router($next) ${mbps}Mb $opt(delay) XCP
    foreach {a b} [list $i $next $next $i] {
        $ns queue-limit $router($a) $router($b) [bdp_limit $mbps [expr {$opt(buffer) / 1000.0}]]
        [[$ns link $router($a) $router($b)] queue] set-link-capacity [expr {$mbps * 1e6}]
    }
}

# A host at a router.
proc host {router} {
    global ns opt unlimited
    set host [$ns node]
    $ns duplex-link $host $router $opt(access)Mb $opt(access_delay) DropTail
    $ns queue-limit $host $router $unlimited
    $ns queue-limit $router $host $unlimited
    return $host
}

set s [host $router(0)]
set d [host $router($hops)]
array set ends [list through [list $s $d] back [list $d $s]]
set directions {through back}
for {set i 0} {$i < $hops} {incr i} {
    set next [expr {$i + 1}]
    lappend directions cross-$next
    set ends(cross-$next) [list [host $router($i)] [host $router($next)]]
    set meters($next) [meter $router($i) $router($next)]
}

foreach line [split [string trim [read [open $opt(flows)]]] \n] {
    lassign $line direction pair start
    lappend receivers($direction) [long_flow {*}$ends($direction) $start]
}

proc begin {} {
    global hops meters directions receivers link_then bytes_then
    for {set i 1} {$i <= $hops} {incr i} {
        set link_then($i) [reading $meters($i)]
    }
    foreach direction $directions {
        set bytes_then($direction) [received $receivers($direction)]
    }
}

proc finish {} {
    global opt hops meters directions receivers sender_of link_then bytes_then
    set seconds [expr {double($opt(stop) - $opt(warmup))}]
    for {set i 1} {$i <= $hops} {incr i} {
        set mbps [lindex $opt(mbps) [expr {$i - 1}]]
        foreach {name value} \
            [link_statistics $link_then($i) [reading $meters($i)] $seconds $mbps] {
            puts "link-$i\t$name\t$value"
        }
    }
    foreach direction $directions {
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
