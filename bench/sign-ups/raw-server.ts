/** The least that a server in Node can do with a sign-up: read it, parse it, say 201. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    JSON.parse(body)
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': 2 })
    response.end('{}')
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`raw is open at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
