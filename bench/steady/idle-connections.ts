/*
 * Opens connections, sends a GET request over each, and keeps them open after the responses. Takes
 * the URL, the number of connections, and the size of a response in bytes as arguments. Prints
 * `open` once all connections are open, and exits with 1 if any of them is closed.
 */
import { connect } from 'node:net'

const batchSize = 100

const [address = '', count, wireBytes] = process.argv.slice(2)
const { hostname, host, port, pathname } = new URL(address)
const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip\r\n\r\n`

function openOne(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname)
  socket.on('error', reject)
  socket.on('data', () => {
    if (socket.bytesRead === Number(wireBytes)) resolve()
  })
  socket.on('close', () => {
    process.stderr.write('A connection was closed.\n')
    process.exit(1)
  })
  socket.write(request)
  return promise
}

for (let opened = 0; opened < Number(count); opened += batchSize) {
  await Promise.all(Array.from({ length: Math.min(batchSize, Number(count) - opened) }, openOne))
}
process.stdout.write('open\n')
