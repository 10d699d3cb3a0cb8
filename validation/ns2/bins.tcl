# A table of a link's and its flows' measurements, with a row for each bin of time.

# Prints the table until `stop`, and ends the run.
proc print_bins {meter receivers mbps seconds stop} {
    global ns
    set header {time utilization queue_bytes queue_packets drops}
    for {set i 1} {$i <= [llength $receivers]} {incr i} {
        lappend header flow${i}_mbps
    }
    puts [join $header \t]
    $ns at 0 [list next_bin 1 $meter $receivers $mbps $seconds]
    # Half a bin late, so that the last bin is printed.
    $ns at [expr {$stop + $seconds / 2}] "exit 0"
}

# The time of a bin comes from its number, so that no rounding adds up.
proc next_bin {number meter receivers args} {
    global ns
    set end [expr {$number * [lindex $args end]}]
    $ns at $end [list end_bin $number [reading $meter] [received $receivers] $meter $receivers {*}$args]
}

# Prints the bin that ends now and begins the next.
proc end_bin {number link_then bytes_then meter receivers mbps seconds} {
    array set link [link_statistics $link_then [reading $meter] $seconds $mbps]
    set row [list [format %.3f [expr {$number * $seconds}]]]
    foreach name {utilization queue_bytes queue_packets drops} {
        lappend row [format %.6g $link($name)]
    }
    foreach rate [rates $bytes_then [received $receivers] $seconds] {
        lappend row [format %.6g $rate]
    }
    puts [join $row \t]
    next_bin [expr {$number + 1}] $meter $receivers $mbps $seconds
}
