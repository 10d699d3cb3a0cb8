# What the ns-2 scripts share: options, the dumbbell, long flows and the link meter.
#
# Every packet size is what the wire carries: a data packet is 1000 bytes, a SYN or an ACK 40.
# useHeaders_ is off because ns-2 would otherwise add 50 bytes (TCP/IP header and timestamp) to
# packetSize_, which XCP's feedback arithmetic takes for the whole packet.

set data_bytes 1000
set control_bytes 40

# ns-2 gives every packet each protocol's header; these four are all that is used here.
remove-all-packet-headers
add-packet-header IP TCP Flags XCP

# Options as "-name value" pairs over the defaults given; an unknown name ends the run.
proc options {argv defaults} {
    array set opt $defaults
    foreach {flag value} $argv {
        set name [string trimleft $flag -]
        if {![info exists opt($name)]} {
            puts stderr "unknown option $flag (known: [lsort [array names opt]])"
            exit 2
        }
        set opt($name) $value
    }
    return [array get opt]
}

# The agents' defaults here. The time-out and RTT clock ticks every 0.1 ms instead of 10 ms (-tick), since
# ns-2 measures the RTT that XCP's headers carry in whole ticks.
proc configure_agents {tick} {
    global data_bytes control_bytes
    Agent/TCP set packetSize_ $data_bytes
    Agent/TCP set useHeaders_ false
    Agent/TCP set tcpip_base_hdr_size_ $control_bytes
    Agent/TCP set window_ 1000000
    Agent/TCP set tcpTick_ $tick
    Agent/TCPSink set packetSize_ $control_bytes
}

# A queue limit that never binds.
set unlimited 1000000

# Whether the limits of queues made from now on count bytes, in units of a data packet, or packets.
# Packets are ns-2's default: an ACK then takes as much room as 1000 bytes, and a queue of as many
# ACKs as data packets drops at half a bandwidth-delay product.
proc limits_count {unit} {
    global data_bytes
    Queue/DropTail set mean_pktsize_ $data_bytes
    Queue/DropTail set queue_in_bytes_ [expr {$unit eq "bytes"}]
}
limits_count bytes

# The limit for rate `mbps` and RTT `rtt` seconds. DropTail drops what would make the queue reach
# the limit: one is added to hold a whole bandwidth-delay product.
proc bdp_limit {mbps rtt} {
    global data_bytes
    return [expr {round($mbps * 1e6 * $rtt / 8 / $data_bytes) + 1}]
}

# A dumbbell: `access_delays` holds one delay a pair of hosts, used on the left and on the right
# access link alike; `queue` is the bottleneck's. Sets the globals ns, left(i), right(i), router(0) and
# router(1).
proc dumbbell {mbps delay limit access_mbps access_delays {queue XCP}} {
    global ns left right router unlimited
    set router(0) [$ns node]
    set router(1) [$ns node]
    $ns duplex-link $router(0) $router(1) ${mbps}Mb $delay $queue
    foreach {a b} {0 1 1 0} {
        $ns queue-limit $router($a) $router($b) $limit
        if {$queue eq "XCP"} {
            # In bits a second, and necessary: the queue does not ask its link.
            [[$ns link $router($a) $router($b)] queue] set-link-capacity [expr {$mbps * 1e6}]
        }
    }
    set i 0
    foreach access $access_delays {
        set left($i) [$ns node]
        set right($i) [$ns node]
        foreach {host r} [list $left($i) $router(0) $right($i) $router(1)] {
            $ns duplex-link $host $r ${access_mbps}Mb $access DropTail
            $ns queue-limit $host $r $unlimited
            $ns queue-limit $r $host $unlimited
        }
        incr i
    }
}

# A long flow from one node to another from `start` on; returns its receiver, which `sender_of` maps
# to its sender. `agents` are the sender's and the receiver's kind, by default XCP's.
proc long_flow {from to start {agents {TCP/Reno/XCP TCPSink/XCPSink}}} {
    global ns sender_of
    set sender [new Agent/[lindex $agents 0]]
    set receiver [new Agent/[lindex $agents 1]]
    set sender_of($receiver) $sender
    $ns attach-agent $from $sender
    $ns attach-agent $to $receiver
    $ns connect $sender $receiver
    set ftp [new Application/FTP]
    $ftp attach-agent $sender
    $ns at $start "$ftp start"
    return $receiver
}

# The `count` start times in the file, or, without a file, exponential ones of the given mean.
proc start_times {file count mean} {
    if {$file ne ""} {
        set channel [open $file]
        set starts [split [string trim [read $channel]]]
        close $channel
        if {[llength $starts] != $count} {
            puts stderr "$file holds [llength $starts] start times, not $count"
            exit 2
        }
        return $starts
    }
    set starts {}
    set draw [new RandomVariable/Exponential]
    $draw set avg_ $mean
    for {set i 0} {$i < $count} {incr i} {
        lappend starts [$draw value]
    }
    return $starts
}

# A meter at the link between two nodes, for `reading`. It sees what waits in the queue: the packet
# being transmitted is not in it.
proc meter {a b} {
    global ns
    set monitor [$ns monitor-queue $a $b [open /dev/null w]]
    $monitor set-bytes-integrator [new Integrator]
    $monitor set-pkts-integrator [new Integrator]
    return $monitor
}

# {bytes sent, packets sent, drops, byte seconds queued, packet seconds queued} until now.
proc reading {monitor} {
    set now [[Simulator instance] now]
    set values [list [$monitor set bdepartures_] [$monitor set pdepartures_] [$monitor set pdrops_]]
    foreach {get size} {get-bytes-integrator size_ get-pkts-integrator pkts_} {
        set integrator [$monitor $get]
        # The current length, as a point at this time, completes the integral.
        $integrator newpoint $now [$monitor set $size]
        lappend values [$integrator set sum_]
    }
    return $values
}

# What a link of `mbps` did between two readings, `seconds` apart, as name-value pairs. The packet
# being transmitted is added to the queue as its mean unsent part, E[s^2] / 2 E[s] while busy,
# from the numbers of 1000- and 40-byte packets that left.
proc link_statistics {before after seconds mbps} {
    global data_bytes control_bytes
    foreach name {bytes packets drops byte_s packet_s} b $before a $after {
        set $name [expr {double($a) - $b}]
    }
    # ns-2 counts bytes in a 32-bit int: it wraps after 4.3 GB, which is once in 55 s at 622 Mb/s.
    if {$bytes < 0} {
        set bytes [expr {$bytes + 2.0 ** 32}]
    }
    set utilization [expr {$bytes * 8 / ($mbps * 1e6 * $seconds)}]
    set data [expr {($bytes - $control_bytes * $packets) / ($data_bytes - $control_bytes)}]
    set control [expr {$packets - $data}]
    set unsent 0
    if {$bytes > 0} {
        set unsent [expr {$utilization / 2 / $bytes
            * ($data * $data_bytes ** 2 + $control * $control_bytes ** 2)}]
    }
    return [list utilization $utilization \
        waiting_bytes [expr {$byte_s / $seconds}] \
        waiting_packets [expr {$packet_s / $seconds}] \
        queue_bytes [expr {$byte_s / $seconds + $unsent}] \
        queue_packets [expr {$packet_s / $seconds + $utilization}] \
        drops $drops data_packets $data]
}

# The bytes that reached each of the receivers, duplicates not counted.
proc received {receivers} {
    set bytes {}
    foreach receiver $receivers {
        lappend bytes [$receiver set bytes_]
    }
    return $bytes
}

# Mb/s of each flow between two results of `received`, `seconds` apart.
proc rates {before after seconds} {
    set rates {}
    foreach b $before a $after {
        lappend rates [expr {($a - $b) * 8e-6 / $seconds}]
    }
    return $rates
}
