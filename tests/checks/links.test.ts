import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { probeUnsubscribe } from '../../src/checks/links.ts'
import { mailCheckSettings } from '../../src/config/programs.ts'
import { readSettings } from '../../src/config/read.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { openApp } from '../fixtures/app.ts'
import { findingSaid } from '../fixtures/finding-said.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

function openStore() {
  return storeOnFile()
}

/** A server of ours. @returns its unsubscribe address. */
async function serve(store: ReturnType<typeof openStore>, key = linkKey) {
  const { app } = await openApp({ store, suppressions: store.standings, linkKey: key })
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/unsubscribe`
}

async function serveAnother(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/unsubscribe`
}

const probe = async (url: string, store: ReturnType<typeof openStore>) => {
  const found = await probeUnsubscribe(url, store.standings, ids, unsubscribeTokens(linkKey))
  return found.verdict === 'fine' ? undefined : findingSaid(found).detail
}

describe('the probe of the way out', () => {
  it('is content with our server, our key and our subscribers, every time', async () => {
    const store = openStore()
    const url = await serve(store)
    for (let i = 0; i < 3; i += 1) expect(await probe(url, store)).toBeUndefined()
    expect(await store.list.count()).toBe(0)
  })

  it('notices a server that has another key, or other subscribers', async () => {
    const store = openStore()
    const otherKey = await serve(store, Buffer.from('another key than the one of these tests'))
    expect(await probe(otherKey, store)).toContain('nobody could unsubscribe')
    const otherStore = await serve(openStore())
    expect(await probe(otherStore, store)).toContain('nobody could unsubscribe')
  })

  it('notices what is no server of ours, however friendly it answers', async () => {
    const store = openStore()
    const friendly = await serveAnother(createServer((_, answer) => answer.end('ok')))
    expect(await probe(friendly, store)).toContain('nobody could unsubscribe')
    const lost = await serveAnother(createServer((_, answer) => answer.writeHead(404).end()))
    expect(await probe(lost, store)).toMatch(
      /answers 404: .*nobody could unsubscribe; check PUBLIC_URL /,
    )
  })

  it('does not take what our own server once did for an answer of another', async () => {
    const store = openStore()
    expect(await probe(await serve(store), store)).toBeUndefined()
    const foreign = await serveAnother(createServer((_, answer) => answer.end('ok')))
    expect(await probe(foreign, store)).toContain('nobody could unsubscribe')
  })

  it('presses the link as a mail provider would, and says what else was answered', async () => {
    const store = openStore()
    const asked: string[] = []
    const failing = createServer(async (request, answer) => {
      const body = Buffer.concat(await request.toArray()).toString()
      asked.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
      answer.writeHead(503).end()
    })
    const url = await serveAnother(failing)
    expect(await probe(url, store)).toMatch(
      / answers 503 instead of 200; check PUBLIC_URL and UNSUBSCRIBE_URL$/,
    )
    expect(asked).toEqual([
      expect.stringMatching(
        /^POST \/unsubscribe\/[\w-]+ application\/x-www-form-urlencoded\S* List-Unsubscribe=One-Click$/,
      ),
    ])
  })

  it('follows no redirect, since mail providers follow none', async () => {
    const store = openStore()
    const url = await serve(store)
    const redirecting = createServer(({ url: path = '' }, answer) =>
      answer.writeHead(307, { location: url.replace('/unsubscribe', path) }).end(),
    )
    expect(await probe(await serveAnother(redirecting), store)).toMatch(/answers 307/)
  })

  it('says why a server cannot be reached', async () => {
    const store = openStore()
    const gone = createServer()
    const url = await serveAnother(gone)
    await new Promise((resolve) => gone.close(resolve))
    expect(await probe(url, store)).toMatch(/cannot be reached: .*ECONNREFUSED/)
  })
})

describe('the address of the way out', () => {
  function unsubscribeUrl(UNSUBSCRIBE_URL: string, PUBLIC_URL: string) {
    const read = readSettings(mailCheckSettings, { UNSUBSCRIBE_URL, PUBLIC_URL })
    return 'settings' in read ? read.settings.unsubscribeUrl : undefined
  }

  it('is https, but for a server on this very machine', () => {
    expect(unsubscribeUrl('http://127.0.0.1:3000/unsubscribe', '')).toBe(
      'http://127.0.0.1:3000/unsubscribe',
    )
    for (const here of ['http://localhost/u', 'http://127.99.0.12/u', 'http://[::1]:3000/u'])
      expect(unsubscribeUrl(here, ''), here).toBe(here)
    for (const wrong of [
      '',
      'http://xlocalhost/u',
      'http://localhost.example.com/u',
      'http://example.com/unsubscribe',
      'https://user@example.com/',
      'https://example.com/?a=1',
      'http://127.0.0.1.example.com/',
    ])
      expect(unsubscribeUrl(wrong, ''), wrong).toBeUndefined()
    expect(unsubscribeUrl('', 'http://example.com')).toBeUndefined()
  })
})
