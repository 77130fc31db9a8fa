import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { absoluteForm } from '../../src/server/http-server.ts'
import { openApp } from '../fixtures/app.ts'

it.each([
  ['http://bell.example', '/', 'bell.example'],
  ['http://bell.example/', '/', 'bell.example'],
  ['HTTP://Bell.example:80/a%2Fb/../c?d=http://e/', '/a%2Fb/../c?d=http://e/', 'Bell.example:80'],
  ['https://bell.example?ref=press', '/?ref=press', 'bell.example'],
  ['http://ada:secret@[::1]:3000/de/', '/de/', '[::1]:3000'],
])('the target %s names a path and a host', (target, path, host) => {
  expect(absoluteForm(target)).toEqual({ path, host })
})

it.each(['/', '/http://bell.example/', '*', 'bell.example:443', 'http:///', 'ftp://bell.example/'])(
  'the target %s is in another form',
  (target) => expect(absoluteForm(target)).toBeUndefined(),
)

it('a request in absolute form is answered as any other, by the host that it names', async () => {
  const { app, store } = await openApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (...lines: string[]) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(lines.join('\r\n'))
    return text(socket)
  }
  const page = await ask(
    'GET http://bell.example/ HTTP/1.1',
    'Host: x',
    'Connection: close',
    '',
    '',
  )
  expect(page).toContain('HTTP/1.1 200')
  expect(page).toContain('text/html')
  const form = 'email=ada%40example.com'
  const post = (host: string) =>
    ask(
      `POST http://${host}/subscribe HTTP/1.1`,
      'Host: bell.example',
      'Origin: http://bell.example',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${form.length}`,
      'Connection: close',
      '',
      form,
    )
  expect(await post('evil.example')).toContain('HTTP/1.1 403')
  expect(await store.list.count()).toBe(0)
  expect(await post('bell.example:80')).toContain('HTTP/1.1 303')
  expect(await store.list.count()).toBe(1)
})
