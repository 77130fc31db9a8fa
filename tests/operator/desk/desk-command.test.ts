import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import { openSessions, openWithLink } from '../../../src/operator/desk/access.ts'
import { desk } from '../../../src/operator/desk/desk-command.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { ended, run } from '../../fixtures/run.ts'
import { listening } from '../../fixtures/spoken.ts'

const operator = join(import.meta.dirname, '../../../src/operator/main.ts')

function open() {
  const home = homeOnFile()
  onTestFinished(() => home.store.close())
  const options = { linkKey: home.linkKey, publicUrl: null, port: 1, isTerminal: true }
  return { ...home, options }
}

/** A link as it was printed. */
const linkIn = (text: string) =>
  /(?<origin>https?:\/\/[^/\s]+)\/desk\/(?<path>[\w-]{65})#(?<secret>[\w-]{43})/.exec(text)
    ?.groups ?? {}

describe('desk', () => {
  it('prints a link that opens the desk', async () => {
    const { store, linkKey, options } = open()
    const { out, result, said } = listening()
    await desk(store, options, { ...out, width: 200 })
    const { origin, path = '', secret = '' } = linkIn(result())
    expect(origin).toBe('http://localhost:1')
    expect(result()).not.toContain('\u2588')
    expect(said.join()).toContain('for a phone, set PUBLIC_URL')
    expect(said.join()).toContain('No server answers at http://localhost:1')
    const linkId = String(deskTokens(linkKey).idOf('link', path))
    const use = await openWithLink(store, linkKey, { linkId, secret, device: 'x' })
    expect(use.outcome).toBe('opened')
  })

  it('draws the code so that a camera finds it: dark on light, with three corners', async () => {
    const { store, options } = open()
    const { out, result } = listening()
    const print = (text: string) => `[${text}]`
    await desk(
      store,
      { ...options, publicUrl: 'https://localhost' },
      { ...out, width: 200, style: { ...out.style, print } },
    )
    const lines = [...result().matchAll(/^\[(.*)\]$/gm)].map(([, line = '']) => line)
    const dark = (row: number, column: number) => {
      const both = lines[Math.floor(row / 2)]?.[column]
      return both === '\u2588' || both === (row % 2 === 0 ? '\u2580' : '\u2584')
    }
    const size = lines[0]?.length ?? 0
    // The quiet edge, then the finder's rings: dark, light, dark.
    const across = (row: number, column: number) =>
      Array.from({ length: 9 }, (_, i) => (dark(row, column + i) ? '#' : '.')).join('')
    for (const [row, column] of [
      [2, 1],
      [2, size - 10],
      [size - 9, 1],
    ] as const) {
      expect(across(row, column)).toBe('.#######.')
      expect(across(row + 3, column)).toBe('.#.###.#.')
    }
  })

  it('draws no code that would not fit', async () => {
    const { store, options } = open()
    const { out, result } = listening()
    const inPublic = { ...options, publicUrl: 'https://localhost' }
    await desk(store, inPublic, { ...out, width: 30 })
    expect(result()).not.toContain('\u2588')
  })

  it('leads to PUBLIC_URL where that is set', async () => {
    const { store, options } = open()
    const { out, result } = listening()
    const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await desk(store, { ...options, publicUrl, json: true }, out)
    const printed = JSON.parse(result()) as { url: string; until: string; answers: boolean }
    expect(linkIn(printed.url).origin).toBe(publicUrl)
    expect(printed.answers).toBe(true)
    const minutes = (Date.parse(printed.until) - Date.now()) / 60_000
    expect(Math.round(minutes)).toBe(15)
  })

  it('prints no link where it could end in a log, unless a program asks for it', async () => {
    const { env, store } = open()
    await store.count()
    const more = { ...env, PORT: '1', PUBLIC_URL: '' }
    const command = (...args: string[]) =>
      ended(run(process.cwd(), [process.execPath, operator, 'desk', ...args], more))
    const { code, stdout, stderr } = await command()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('add --json')
    expect((await store.deskAccess()).links).toEqual([])
    expect(linkIn((await command('--json')).stdout).path).toBeDefined()
  })

  it('lists who is in, ends one of them, and ends all and every open link', async () => {
    const { store, linkKey, options } = open()
    const said = listening()
    for (let i = 0; i < 3; i += 1) await desk(store, { ...options, json: true }, said.out)
    const links = said.result().trim().split('\n').map(linkIn)
    const use = ({ path = '', secret = '' }: Record<string, string>, device: string) =>
      openWithLink(store, linkKey, {
        ...{ linkId: String(deskTokens(linkKey).idOf('link', path)), secret, device },
      })
    await use(links[0] ?? {}, 'Chrome on Android')
    await use(links[1] ?? {}, 'Firefox on Linux')
    const listed = listening()
    await desk(store, { ...options, sessions: true }, listed.out)
    expect(listed.result()).toMatch(/1 +Chrome on Android +link/)
    expect(listed.result()).toMatch(/2 +Firefox on Linux +link/)
    await desk(store, { ...options, end: '1' }, listening().out)
    expect(await openSessions(store)).toMatchObject([{ device: 'Firefox on Linux' }])
    await expect(desk(store, { ...options, end: '7' }, listening().out)).rejects.toThrow(
      'no session 7',
    )
    const ends = listening()
    await desk(store, { ...options, end: true }, ends.out)
    expect(ends.said).toEqual(['One session has ended.'])
    expect(await openSessions(store)).toEqual([])
    expect((await use(links[2] ?? {}, 'x')).outcome).toBe('too-old')
    const none = listening()
    await desk(store, { ...options, sessions: true }, none.out)
    expect(none.said).toEqual(['Nobody is in.'])
  })
})
