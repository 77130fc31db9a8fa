/**
 * Stands for the desk's process, at the place of `src/desk/server/main.ts` in a copy of the server:
 * what a desk may do at its worst, by path.
 */
import { createServer } from 'node:http2'
import { Socket } from 'node:net'

const server = createServer((request, response) => {
  const path = request.url
  if (path === '/desk/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    return
  }
  if (path === '/desk/slow' || path === '/desk/slow?said') {
    if (path.endsWith('said')) process.stderr.write('slow is asked\n')
    setTimeout(() => response.end('slow'), 300)
    return
  }
  if (path === '/desk/crash') process.exit(1)
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  request.on('end', () => {
    const { headers } = request
    response.end(JSON.stringify({ pid: process.pid, bytes, headers }))
  })
})

const connection = new Socket({ fd: 3, readable: true, writable: true })
connection.on('error', () => {}).on('close', () => process.exit())
process.on('SIGINT', () => {})
server.emit('connection', connection)
