/** The least that a server in Node can do with a sign-up: read it, parse it, answer just as ours. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dataHeaders } from '../../src/site/security-headers.ts'

const headers = {
  ...dataHeaders,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'content-length': 2,
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    JSON.parse(body)
    response.writeHead(201, headers)
    response.end('{}')
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`raw is open at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
