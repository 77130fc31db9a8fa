/**
 * The least that a server in Node can do with the page: send the same bytes to everybody.
 * Argument: a file with the headers and the body of our own answer.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const { headers, body } = JSON.parse(readFileSync(String(process.argv[2]), 'utf8'))
const bytes = Buffer.from(body, 'base64')

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`raw is open at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
