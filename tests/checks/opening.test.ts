import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type OpeningLook, checkOpening as probeOpening } from '../../src/checks/opening.ts'
import { watchOpening } from '../../src/opening/watch-opening.ts'
import { paths } from '../../src/shared/api.ts'
import type { Opening } from '../../src/store/opening.ts'
import { openApp } from '../fixtures/app.ts'
import { findingSaid } from '../fixtures/finding-said.ts'
import { setStage } from '../fixtures/stage.ts'

const checkOpening = async (...asked: Parameters<typeof probeOpening>) =>
  findingSaid(await probeOpening(...asked))

const url = 'https://app.example.com/?a=1&b=2'
const now = new Date()
const opening: Opening = { url, at: now, zone: 'UTC', openedAt: now }

const open = (to = url.replace('&', '&amp;')) => `<div id="root" data-open="${to}"></div>`
const comingSoon = '<div id="root"></div>'

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** @param page what `/` is, also where nobody asked before. */
const site = (page: string, said: string | undefined, beyond = page, headers = {}) =>
  serve(({ url = '' }, response) => {
    const isPage = url.startsWith('/?') || url === '/'
    if (isPage) response.writeHead(200, headers).end(url === '/' ? page : beyond)
    else if (url.startsWith(paths.opening) && said !== undefined) response.end(said)
    else response.writeHead(404).end('{}')
  })

const look = async (
  publicUrl: string | undefined,
  of: Opening | undefined = opening,
  more: OpeningLook = {},
) => {
  const { what, verdict, detail } = await checkOpening(of, publicUrl, { tryAgainMs: 1, ...more })
  expect(what).toBe('Page')
  return `${verdict}: ${detail}`
}

it('is fine when a stranger sees the open page of our own server, with its own button', {
  tags: 'thorough',
}, async () => {
  const { store } = await setStage(1)
  const watch = watchOpening(store.opening, (fault) => {
    throw fault
  })
  onTestFinished(() => watch.close())
  await watch.looked
  const { app } = await openApp({ store, suppressions: store.standings, opening: watch })
  const publicUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  // It is told of within a second, and the look waits for that.
  await store.opening.set(opening)
  const found = await checkOpening(opening, publicUrl)
  expect(found).toEqual({
    what: 'Page',
    verdict: 'fine',
    detail: `${publicUrl} is open for visitors`,
  })
})

it('hints at it where no opening was ever set, and stops nobody', async () => {
  const { verdict, detail } = await checkOpening(undefined, undefined)
  expect([verdict, detail]).toEqual(['note', expect.stringContaining('says Coming Soon')])
})

describe('where letters left while the page was open, and nothing is set any more', () => {
  const lookAgain = async (publicUrl: string | undefined) => {
    const { verdict, detail } = await checkOpening(undefined, publicUrl, {
      wasOpen: true,
      tryAgainMs: 1,
    })
    return `${verdict}: ${detail}`
  }

  it('is a problem if the page says Coming Soon, also where it is turning at this moment', async () => {
    const closed = await site(comingSoon, '{}')
    expect(await lookAgain(closed)).toBe(
      `problem: ${closed} says Coming Soon again: it was open when letters left. To open it now: open https://…`,
    )
    let asked = 0
    const turning = await serve((_, response) => {
      asked += 1
      response.end(asked > 2 ? comingSoon : open())
    })
    expect(await lookAgain(turning)).toMatch(/^problem: .* says Coming Soon again/)
    expect(await lookAgain(undefined)).toMatch(/^problem: .*PUBLIC_URL is not set now/)
    expect(await lookAgain('http://127.0.0.1:1')).toMatch(/^problem: .*cannot be reached/)
  })

  it('stops nobody whose product has the domain by now, or whose page is a file', async () => {
    expect(await lookAgain(await site('<h1>The product</h1>', undefined))).toMatch(/^note: /)
    expect(await lookAgain(await site(open(), undefined))).toMatch(/^note: /)
  })
})

it('is a problem before the time has come, and in a dry run a note that names the time', async () => {
  const later = { ...opening, at: new Date(Date.UTC(2099, 0, 12, 8)), openedAt: undefined }
  expect(await look('http://127.0.0.1:1', { ...later, zone: 'Europe/Berlin' })).toBe(
    'problem: opens 2099-01-12 09:00 Europe/Berlin, which is 2099-01-12 08:00 UTC, and says Coming Soon until then. To open it now: open https://…',
  )
  const planned = { ...later, zone: 'Europe/Berlin' }
  expect(await look(undefined, planned, { isDryRun: true })).toBe(
    'note: opens 2099-01-12 09:00 Europe/Berlin, which is 2099-01-12 08:00 UTC, and says Coming Soon until then; a letter that is sent before then meets this as a problem. To open it now: open https://…',
  )
  // One that is to be open by now is looked at all the same.
  expect(await look('http://127.0.0.1:1', opening, { isDryRun: true })).toMatch(/^problem: /)
})

it('cannot say without knowing where visitors find the page', async () => {
  expect(await look(undefined)).toMatch(/^problem: PUBLIC_URL is not set/)
})

it('names a cache that still has the old page, by its headers', async () => {
  const headers = { age: '340', 'cf-cache-status': 'HIT', via: '1.1 varnish' }
  const stale = await site(comingSoon, `{"open":"${url}"}`, open(), headers)
  expect(await look(stale)).toBe(
    `problem: ${stale} is still served from a cache (age: 340, cf-cache-status: HIT, via: 1.1 varnish), in front of a server that is open: purge that cache, or let it ask the server each time (cache-control: no-cache)`,
  )
  const deaf = await site(comingSoon, `{"open":"${url}"}`, comingSoon, { age: '7' })
  expect(await look(deaf)).toMatch(/is still served from a cache \(age: 7\), in front of/)
  const silent = await site(comingSoon, undefined, open())
  expect(await look(silent)).toMatch(/is still served from a cache, in front of/)
})

it('names an old build, and a server with another store', async () => {
  expect(await look(await site(comingSoon, undefined))).toMatch(
    /^problem: .* cannot open: it is an old build, .*it is at 127\.0\.0\.1/,
  )
  expect(await look(await site(comingSoon, '<html>'))).toMatch(/an old build/)
  expect(await look(await site(comingSoon, '{}'))).toMatch(
    /^problem: .* has another list than this command, .*DATA_DIR and STORE/,
  )
})

it('names another site at that address, and what is not there at all', async () => {
  const parked = await site('<h1>This domain is parked</h1>', undefined)
  expect(await look(parked)).toBe(
    `problem: ${parked} answers 200, but not with your Coming Soon page; from here it is at 127.0.0.1: is that your server? If you changed the DNS lately, wait`,
  )
  expect(await look(await serve((_, response) => response.writeHead(503).end(open())))).toMatch(
    /answers 503, but not with your Coming Soon page/,
  )
  expect(await look('http://nobody.invalid')).toMatch(
    /^problem: nobody\.invalid cannot be reached: it is not in the DNS/,
  )
  expect(await look('http://127.0.0.1:1')).toMatch(/^problem: 127\.0\.0\.1:1 cannot be reached: /)
})

it('names a button that leads elsewhere, without its control characters', async () => {
  const other = await site(open('https://other.example/\u001b[2J'), '{}')
  expect(await look(other)).toMatch(
    /^problem: the button at \S+ leads to https:\/\/other\.example\/\[2J instead of https:\/\/app\.example\.com\/\?a=1&b=2: /,
  )
})

it('waits for a page that is turning at this moment', async () => {
  let asked = 0
  const turning = await serve(({ url = '' }, response) => {
    asked += 1
    if (url.startsWith(paths.opening)) response.end(JSON.stringify({ open: opening.url }))
    else response.end(asked > 6 ? open() : comingSoon)
  })
  expect(await look(turning)).toMatch(/^fine: /)
})

it('reads no more than a page of an endless answer', async () => {
  const endless = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await look(endless)).toMatch(/but not with your Coming Soon page/)
})
