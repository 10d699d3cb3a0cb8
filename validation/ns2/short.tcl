# XCP flows of a given size, and the times that they take.

set completions {}

# The application at a flow's receiver, which notes the arrival of the last byte.
Class Application/Completion -superclass Application

Application/Completion instproc recv {bytes} {
    global completions
    $self instvar left number start
    incr left -$bytes
    if {$left == 0} {
        lappend completions $number [expr {[[Simulator instance] now] - $start}]
    }
}

# Starts a flow of that many data packets now.
proc short_flow {from to packets number} {
    global ns data_bytes control_bytes
    set sender [new Agent/TCP/Reno/XCP]
    set receiver [new Agent/TCPSink/XCPSink]
    $ns attach-agent $from $sender
    $ns attach-agent $to $receiver
    $ns connect $sender $receiver
    set application [new Application/Completion]
    $application set number $number
    $application set start [$ns now]
    # The SYN counts as 40 bytes received.
    $application set left [expr {$packets * $data_bytes + $control_bytes}]
    $application attach-agent $receiver
    $application start
    set ftp [new Application/FTP]
    $ftp attach-agent $sender
    $ftp produce $packets
}

proc print_completions {} {
    global completions
    foreach {number seconds} $completions {
        puts "completed\t$number\t$seconds"
    }
}
