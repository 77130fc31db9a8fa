/**
 * A server that ends with the process that started it, also when that one is killed:
 * `node tied-server.ts <main.ts of the server>`, with a pipe as its standard input.
 */
import { pathToFileURL } from 'node:url'

process.stdin.resume().on('close', () => {
  process.emit('SIGTERM')
})
await import(pathToFileURL(String(process.argv[2])).href)
