/** @module-tag thorough */
import { copyFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deskProcess } from '../../../src/server/desk-process.ts'
import { deskOf, startDeskSite } from '../../fixtures/desk-site.ts'
import { childrenOf, isRunning } from '../../fixtures/processes.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { withCopyOfServer } from '../../fixtures/server-copy.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const streaming = withCopyOfServer((root) => {
  const desk = join(root, 'src/desk/server/main.ts')
  copyFileSync(join(import.meta.dirname, 'streaming-desk.ts'), desk)
})

/** A site whose desk does whatever `streaming-desk.ts` does. */
const startStreaming = () => startDeskSite({ root: streaming() })

/** One for the tests that leave it running. */
let lasting: RunningSite
beforeAll(async () => {
  lasting = await startSite({ root: streaming() })
})
afterAll(() => lasting.stop())

/** Opens a stream of events, and reads its first one. */
async function openStream(origin: string, cookie: string, path = '/desk/events') {
  const asked: ClientRequest = request(origin + path, {
    headers: { cookie },
    agent: false,
  })
  onTestFinished(() => void asked.destroy())
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.on('response', resolve).on('error', reject).end(),
  )
  const ended = new Promise<boolean>((resolve) =>
    answer.on('close', () => resolve(answer.complete)).on('error', () => {}),
  )
  await new Promise((resolve) => answer.once('data', resolve))
  const type = answer.headers['content-type']
  return {
    ended,
    type,
    isOpen: () => !answer.destroyed && !answer.complete,
    leave: () => asked.destroy(),
  }
}

/** Tells a server to end, and sees it, its desk and these streams end within two seconds. */
async function expectEnd(
  site: Pick<RunningSite, 'pid'>,
  streams: readonly { readonly ended: Promise<boolean> }[],
) {
  const [desk = 0] = childrenOf(site.pid())
  const pid = site.pid()
  const began = performance.now()
  process.kill(pid, 'SIGTERM')
  await expect.poll(() => isRunning(pid), { interval: 20 }).toBe(false)
  // To wait for the streams would take ten seconds, after which connections are cut.
  expect(performance.now() - began).toBeLessThan(6000)
  // Each is whole to its browser, which asks again.
  for (const { ended } of streams) expect(await ended).toBe(true)
  expect(isRunning(desk)).toBe(false)
}

describe('the process of the desk', () => {
  it('ends with the server at once, also with ten streams open, and answers what was asked before', async () => {
    const { site, session, ask } = await startStreaming()
    const headers = await session()
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => openStream(site.url, headers.cookie)),
    )
    const asked = ask('/desk/slow?said', { headers })
    await expect.poll(() => site.log()).toContain('slow is asked')
    await expectEnd(site, streams)
    expect((await asked).body).toBe('slow')
  })

  it('ends by itself when the server is killed: none is left over', async () => {
    const { site, session, ask } = await startDeskSite()
    expect((await ask('/desk', { headers: await session() })).status).toBe(200)
    const [desk = 0] = childrenOf(site.pid())
    expect(isRunning(desk)).toBe(true)
    await site.kill()
    await expect.poll(() => isRunning(desk)).toBe(false)
  })

  it('gives a page that says so when it crashes, and is begun anew', async () => {
    const { site, session, ask } = deskOf(lasting)
    const headers = await session()
    const pidNow = async () => JSON.parse((await ask('/desk', { headers })).body).pid as number
    const first = await pidNow()
    const crashed = await ask('/desk/crash', { headers })
    expect(crashed.status).toBe(503)
    expect(crashed.body).toContain('The desk cannot be reached')
    expect(crashed.headers['cache-control']).toBe('no-store')
    // To anybody else there is no desk, well or not.
    expect((await ask('/desk')).status).toBe(404)
    await expect.poll(() => ask('/desk', { headers }).then(({ status }) => status)).toBe(200)
    const second = await pidNow()
    expect(second).not.toBe(first)
    process.kill(second, 'SIGKILL')
    await expect
      .poll(() => ask('/desk', { headers }).then(({ status, body }) => status === 200 && body))
      .not.toMatch(new RegExp(`false|:${second},`))
    expect(site.log()).toContain("The desk's process has ended by itself")
  })

  it('is begun later each time where it cannot be begun, after a minute at most, and the server goes on', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const said: unknown[] = []
    const log = { error: (message: unknown) => said.push(message) } as unknown as FastifyBaseLogger
    const desk = deskProcess({ program: [join(tempDir(), 'no-such-program')], log })
    for (const pause of [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      expect(desk.connect()).toBeUndefined()
      vi.advanceTimersByTime(pause - 1)
      expect(desk.connect()).toBeUndefined()
      expect(said.splice(0)).toEqual([
        expect.stringContaining(`cannot be begun; it is started again in ${pause} ms`),
      ])
      vi.advanceTimersByTime(1)
    }
    // The fault of the process comes a moment later, and has to be heard by somebody.
    await new Promise(setImmediate)
    await desk.close()
  })

  it('is ended where it says nothing any more, and where nobody asks', async () => {
    const said: unknown[] = []
    const log = { error: (message: unknown) => said.push(message) } as unknown as FastifyBaseLogger
    const desk = deskProcess({ program: ['sleep', '600'], idleMs: 1, log })
    onTestFinished(() => desk.close())
    const silent = desk.connect()
    desk.isSilent()
    await expect.poll(() => said).toEqual([expect.stringContaining('has ended by itself')])
    expect(silent?.destroyed).toBe(true)

    const idle = await expect
      .poll(() => desk.connect())
      .toBeDefined()
      .then(() => desk.connect())
    desk.isIdle()
    await expect.poll(() => idle?.destroyed).toBe(true)
    expect(said).toHaveLength(1)
  })
})
