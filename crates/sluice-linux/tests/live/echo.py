"""Connections whose data come back: `echo.py serve`, or `echo.py ask ADDRESS SECONDS`.

The latter makes a few at a time, at least one each, fails if one does or its data differ, and
prints the number of connections and of bytes. Standard library only.
"""

import os
import random
import socket
import sys
import threading
import time

PORT = 5300
#: Connections at a time.
BESIDE = 4
SIZES = [1, 1_000, 20_000, 200_000, 5_000_000]


def serve():
    with socket.create_server(
        ("::", PORT), family=socket.AF_INET6, dualstack_ipv6=True
    ) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=reflect, args=(connection,), daemon=True).start()


def reflect(connection):
    with connection:
        while data := connection.recv(1 << 18):
            connection.sendall(data)


def ask(address, seconds):
    end = time.monotonic() + seconds
    counts = []
    workers = [threading.Thread(target=connect, args=(address, end, counts)) for _ in range(BESIDE)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    # One of them ended before its time.
    if None in counts or len(counts) < BESIDE:
        sys.exit(1)
    print(sum(map(len, counts)), sum(map(sum, counts)))


def connect(address, end, counts):
    sizes = []
    while not sizes or time.monotonic() < end:
        sizes.append(random.choice(SIZES))
        data = os.urandom(sizes[-1])
        with socket.create_connection((address, PORT), timeout=20) as connection:
            sender = threading.Thread(target=send, args=(connection, data))
            sender.start()
            back = b"".join(iter(lambda: connection.recv(1 << 18), b""))
            sender.join()
        if back != data:
            print(f"{len(back)} of {len(data)} bytes came back, or others", file=sys.stderr)
            counts.append(None)
            return
    counts.append(sizes)


def send(connection, data):
    connection.sendall(data)
    connection.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    serve() if sys.argv[1] == "serve" else ask(sys.argv[2], float(sys.argv[3]))
