import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectionLimits } from '../../src/server/http/connection-limits.ts'
import { paths } from '../../src/shared/api.ts'
import { site } from '../../src/site/site.ts'
import { openApp, signIn } from '../fixtures/app.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const hasty = { ...connectionLimits, headersMs: 200, requestMs: 400, silenceMs: 600 }

async function listen(overrides: Parameters<typeof openApp>[0] = {}) {
  const opened = await openApp(overrides)
  await opened.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...opened, port: (opened.app.server.address() as AddressInfo).port }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('utf8')
  // Writing to who hangs up fails, and is no matter here.
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Everything the server says until it hangs up. */
function untilClosed(socket: Socket): Promise<string> {
  let heard = ''
  socket.on('data', (text) => {
    heard += text
  })
  // Not with `once` of `node:events`, which an error of the socket makes fail.
  return new Promise((resolve) => {
    if (socket.closed) resolve(heard)
    else socket.on('close', () => resolve(heard))
  })
}

/**
 * Sees that a client is let go because of the limits: another, which did the same before at a server
 * that has the usual ones, is still there when one after the other was let go. @returns what it was told.
 */
async function untilCutOff(does: (socket: Socket) => void): Promise<string> {
  const [usual, strict] = [await listen(), await listen({ limits: hasty })]
  const other = await open(usual.port)
  does(other)
  let heard = ''
  for (let i = 0; i < 2; i += 1) {
    const socket = await open(strict.port)
    const closed = untilClosed(socket)
    does(socket)
    heard = await closed
  }
  expect(other.closed).toBe(false)
  return heard
}

/** Sends something again and again. */
function drip(socket: Socket, text: string, everyMs: number) {
  const timer = setInterval(() => socket.writable && socket.write(text), everyMs)
  onTestFinished(() => clearInterval(timer))
}

describe('a client on the wire', () => {
  it.each([
    ['is not HTTP', 'Good morning\r\n\r\n', '400 Bad Request'],
    ['names no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400 Bad Request'],
    ['has a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nBro ken\r\n\r\n', '400 Bad Request'],
    [
      'has two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
    ],
    ['has a null in its URL', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n', '400 Bad Request'],
    ['names two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', '400'],
    ['has endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
  ])('is answered and let go when what it sends %s', async (_what, bytes, status) => {
    const { port, app } = await listen()
    const socket = await open(port)
    socket.write(bytes)
    const heard = await untilClosed(socket)
    expect(heard).toContain(`HTTP/1.1 ${status}`)
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
  })

  it('is answered in JSON, and no longer than it is said to be', async () => {
    const { port } = await listen()
    const socket = await open(port)
    socket.write('Good morning\r\n\r\n')
    const [head = '', body = ''] = (await untilClosed(socket)).split('\r\n\r\n')
    expect(body).toBe('{"error":"bad-request"}')
    expect(head).toMatch(/^content-length: 23\r?$/im)
  })

  it('is cut off when its headers take too long', async () => {
    const heard = await untilCutOff((socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    })
    expect(heard).toContain('HTTP/1.1 408')
  })

  it('is cut off when its body takes too long, though it keeps sending', {
    tags: 'thorough',
  }, async () => {
    await untilCutOff((socket) => {
      socket.write(
        'POST /subscribe HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 9999\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n',
      )
      drip(socket, 'a', 20)
    })
  })

  it.each([
    ['is refused before it is read', paths.subscribers, 'application/json', '401'],
    ['is too large', paths.subscribe, 'application/x-www-form-urlencoded', '413'],
    ['nobody needs', `${paths.unsubscribe}/token`, 'text/plain', '413'],
  ])('is let go when a body that %s never ends', async (_what, path, type, status) => {
    const patient = { ...connectionLimits, requestMs: 600_000, silenceMs: 600_000 }
    const { port } = await listen({ limits: patient })
    const socket = await open(port)
    const heard = untilClosed(socket)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nTransfer-Encoding: chunked\r\nContent-Type: ${type}\r\n\r\n`,
    )
    drip(socket, `400\r\n${'a'.repeat(1024)}\r\n`, 1)
    expect(await heard).toContain(`HTTP/1.1 ${status}`)
    // What it may send, twice over, and what was on its way when the server had enough.
    expect(socket.bytesWritten).toBeLessThan(8 * patient.bodyBytes)
  })

  it.each(['Content-Length: 9999999', 'Transfer-Encoding: chunked'])(
    'is let go when it sends an endless body along to get the page, with %s',
    async (header) => {
      const { port } = await listen()
      const socket = await open(port)
      const heard = untilClosed(socket)
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
      drip(socket, `400\r\n${'a'.repeat(1024)}\r\n`, 1)
      expect(await heard).toContain('HTTP/1.1 200')
      expect(socket.bytesWritten).toBeLessThan(8 * connectionLimits.bodyBytes)
    },
  )

  it('may go on after a refusal when its body was no longer than one may be', async () => {
    const { port } = await listen()
    const socket = await open(port)
    const { bodyBytes } = connectionLimits
    socket.write(
      `POST ${paths.subscribers} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n\r\n`,
    )
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 401')
    socket.write('a'.repeat(bodyBytes))
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200')
  })

  it('gets the page for asking, and for nothing else', async () => {
    const { port } = await listen()
    for (const [method, status] of [
      ['GET', 200],
      ['HEAD', 200],
      ['POST', 404],
      ['DELETE', 404],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method })
      expect(answer.status, method).toBe(status)
      await answer.text()
    }
  })

  it('is cut off when it connects and says nothing', async () => {
    await untilCutOff(() => {})
  })

  it('is cut off when it does not read what it asked for', { tags: 'thorough' }, async () => {
    const root = tempDir()
    mkdirSync(join(root, site.public), { recursive: true })
    writeFileSync(join(root, site.public, 'large'), Buffer.alloc(32 * 1024 * 1024))
    const usual = await listen({ root })
    const strict = await listen({ root, limits: hasty })
    const left = [usual, strict].map(({ app }) =>
      promisify(app.server.getConnections).bind(app.server),
    )
    for (const { port, app } of [usual, strict]) {
      const socket = await open(port)
      socket.pause()
      socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(app.server, 'request')
    }
    await expect.poll(() => left[1]?.(), { timeout: 10_000 }).toBe(0)
    expect(await left[0]?.()).toBe(1)
  })

  it.each([
    ['the page', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path that leads nowhere', 'GET /start HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'the form',
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 20\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nemail=a%40example.co',
    ],
  ])(
    'is answered ten times, in order, and let go when it asks for %s by the thousand',
    async (_what, text) => {
      const { port, app } = await listen()
      let requests = 0
      app.server.on('request', () => {
        requests += 1
      })
      const socket = await open(port)
      const heard = untilClosed(socket)
      socket.write(text.repeat(2500))
      const answers = (await heard).split(/(?=HTTP\/1\.1 \d)/)
      expect(answers).toHaveLength(10)
      const closing = answers.map((answer) => /^connection: close\r$/im.test(answer))
      expect(closing).toEqual([...Array(9).fill(false), true])
      expect(requests).toBe(10)
    },
  )

  it('has no more than ten waiting, also when it sends them one by one', async () => {
    const store = storeOnFile()
    const finish = Promise.withResolvers<undefined>()
    const { port, app } = await listen({
      store: { ...store, list: { ...store.list, add: () => finish.promise } },
    })
    const { cookie } = await signIn(app)
    const socket = await open(port)
    const heard = untilClosed(socket)
    let requests = 0
    app.server.on('request', () => {
      requests += 1
    })
    const body = '{"email":"visitor@example.com"}'
    const text = `POST ${paths.subscribers} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    for (let i = 1; i <= 10; i++) {
      socket.write(text)
      await expect.poll(() => requests).toBe(i)
    }
    socket.write(text.repeat(5))
    finish.resolve(undefined)
    const answers = (await heard).split(/(?=HTTP\/1\.1 \d)/)
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(Array(10).fill('201'))
    expect(requests).toBe(10)
  })

  it('may ask for a few things at once, again and again', async () => {
    const { port } = await listen()
    const socket = await open(port)
    for (let i = 0; i < 5; i++) {
      socket.write('GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(9))
      let heard = ''
      while ((heard.match(/User-agent/g) ?? []).length < 9) heard += (await once(socket, 'data'))[0]
      expect(heard).not.toMatch(/connection: close/i)
    }
  })

  it('does not stop others from being served while it dawdles', async () => {
    const { port } = await listen()
    for (let i = 0; i < 50; i++) (await open(port)).write('POST /subscribe HTTP/1.1\r\nHost: x\r\n')
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    expect(answer.status).toBe(200)
  })

  it('may leave in the middle of a body', async () => {
    const { port, app } = await listen()
    const socket = await open(port)
    socket.write('POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf')
    socket.destroy()
    await untilClosed(socket)
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
  })
})

describe('closing', () => {
  it('waits for the sign-up that is in flight, and takes no new connection', async () => {
    const store = storeOnFile()
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const slow = {
      ...store,
      list: {
        ...store.list,
        async add(email: string) {
          started.resolve()
          await finish.promise
          return store.list.add(email)
        },
      },
    }
    const { port, app } = await listen({ store: slow })
    const headers = { ...(await signIn(app)), 'content-type': 'application/json' }
    const answer = fetch(`http://127.0.0.1:${port}${paths.subscribers}`, {
      method: 'POST',
      headers,
      body: '{"email":"visitor@example.com"}',
    })
    await started.promise
    const closed = app.close()
    await expect.poll(() => app.server.listening).toBe(false)
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
    finish.resolve()
    expect((await answer).status).toBe(201)
    await closed
    expect(await store.list.count()).toBe(1)
  })
})
