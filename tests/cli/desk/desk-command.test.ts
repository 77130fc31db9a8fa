import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type DeskCommandOptions, desk } from '../../../src/cli/commands/desk.ts'
import { makeLink, openSessions, openWithLink } from '../../../src/desk/access/sessions.ts'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { ended, run } from '../../fixtures/run.ts'
import { listening } from '../../fixtures/spoken.ts'

const noLinks = 'Links that were not used yet open nothing any more.'
const operator = join(import.meta.dirname, '../../../src/cli/main.ts')

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
    await desk(store.desk, options, { ...out, width: 200 })
    const { origin, path = '', secret = '' } = linkIn(result())
    expect(origin).toBe('http://localhost:1')
    expect(result()).not.toContain('\u2588')
    expect(said.join()).toContain('For a phone, or behind a proxy with TLS, set PUBLIC_URL')
    expect(said.join()).toContain('No server answers at http://localhost:1')
    const linkId = String(deskTokens(linkKey).idOf('link', path))
    const use = await openWithLink(store.desk, linkKey, { linkId, secret, device: 'x' })
    expect(use.outcome).toBe('opened')
  })

  it('leads to PUBLIC_URL where that is set', async () => {
    const { store, options } = open()
    const { out, result } = listening()
    const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await desk(store.desk, { ...options, publicUrl, json: true }, out)
    const printed = JSON.parse(result()) as { url: string; until: string; answers: boolean }
    expect(linkIn(printed.url).origin).toBe(publicUrl)
    expect(printed.answers).toBe(true)
    const minutes = (Date.parse(printed.until) - Date.now()) / 60_000
    expect(Math.round(minutes)).toBe(15)
  })

  it('says where the session can be read on its way', async () => {
    const { store, options } = open()
    const saidFor = async (publicUrl: string | null) => {
      const { out, said } = listening()
      await desk(store.desk, { ...options, publicUrl, json: true }, out)
      return said.join()
    }
    expect(await saidFor('http://desk.invalid')).toContain('can read the session')
    for (const safe of ['https://desk.invalid', 'http://localhost:1', 'http://127.0.0.1:1', null])
      expect(await saidFor(safe)).not.toContain('can read the session')
  })

  it('prints no link where it could end in a log, unless a program asks for it', {
    tags: 'thorough',
  }, async () => {
    const { env, store } = open()
    await store.list.count()
    const more = { ...env, PORT: '1', PUBLIC_URL: '' }
    const command = (...args: string[]) =>
      ended(run(process.cwd(), [process.execPath, operator, 'desk', ...args], more))
    const { code, stdout, stderr } = await command()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('add --json')
    expect((await store.desk.read()).links).toEqual([])
    const json = await command('--json')
    expect(linkIn(json.stdout).path).toBeDefined()
    expect(json.stderr).toContain('No server answers at http://localhost:1:')
  })

  it('lists who is in, ends one of them, and ends all and every open link', async () => {
    const { store, linkKey, options } = open()
    const said = listening()
    for (let i = 0; i < 3; i += 1) await desk(store.desk, { ...options, json: true }, said.out)
    const links = said.result().trim().split('\n').map(linkIn)
    const use = ({ path = '', secret = '' }: Record<string, string>, device: string) =>
      openWithLink(store.desk, linkKey, {
        linkId: String(deskTokens(linkKey).idOf('link', path)),
        secret,
        device,
      })
    await use(links[0] ?? {}, 'Chrome on Android')
    await use(links[1] ?? {}, 'Firefox on Linux')
    const listed = listening()
    await desk(store.desk, { ...options, sessions: true }, listed.out)
    expect(listed.result()).toMatch(/1 +Chrome on Android +link/)
    expect(listed.result()).toMatch(/2 +Firefox on Linux +link/)
    await desk(store.desk, { ...options, end: '1' }, listening().out)
    expect(await openSessions(store.desk)).toMatchObject([{ device: 'Firefox on Linux' }])
    await expect(desk(store.desk, { ...options, end: '7' }, listening().out)).rejects.toThrow(
      'no session or passkey 7',
    )
    const ends = listening()
    await desk(store.desk, { ...options, end: true }, ends.out)
    expect(ends.said).toEqual([`One session has ended. ${noLinks}`])
    expect(await openSessions(store.desk)).toEqual([])
    expect((await use(links[2] ?? {}, 'x')).outcome).toBe('too-old')
    const none = listening()
    await desk(store.desk, { ...options, sessions: true }, none.out)
    expect(none.said).toEqual(['No session is open.'])
  })

  it('lists who may come back by a passkey, and removes it with all, or by its number', async () => {
    const { store, linkKey, options } = open()
    const tokens = deskTokens(linkKey)
    /** Somebody who opened the link first, and added a passkey to come back with. */
    async function thief() {
      const { path, secret } = await makeLink(store.desk, linkKey)
      const linkId = String(tokens.idOf('link', path))
      await openWithLink(store.desk, linkKey, { linkId, secret, device: 'Safari on iPhone' })
      const passkey = {
        id: 'key',
        publicKey: 'x',
        counter: 0,
        transports: [],
        name: 'Their phone',
        addedAt: Date.now(),
        deviceId: String(tokens.idOf('device', tokens.make('device'))),
      }
      await store.desk.change((found) => ({
        result: undefined,
        state: { ...found, passkeys: [passkey] },
      }))
    }
    const answers = async (more: Partial<DeskCommandOptions>) => {
      const { out, said, result } = listening()
      await desk(store.desk, { ...options, ...more }, out)
      return { said, result: result() }
    }
    await thief()
    expect((await answers({ sessions: true })).result).toMatch(
      /2 +Their phone +\d{4}-\d\d-\d\d \d\d:\d\d.* +never/,
    )
    const rows = JSON.parse((await answers({ sessions: true, json: true })).result)
    expect(rows).toMatchObject([{ kind: 'session' }, { kind: 'passkey', name: 'Their phone' }])
    const mayComeBack =
      'One passkey still opens the desk. To remove it as well: bin/opening-bell desk --end'
    expect((await answers({ end: '1' })).said).toEqual(['One session has ended.', mayComeBack])
    expect((await answers({ end: true, keepPasskeys: true })).said).toEqual([
      `0 sessions have ended. ${noLinks}`,
      mayComeBack,
    ])
    expect((await answers({ end: true })).said).toEqual([
      `0 sessions have ended. One passkey is gone. ${noLinks}`,
    ])
    await thief()
    expect((await answers({ end: '2' })).said).toEqual([
      '0 sessions have ended. The passkey "Their phone" is gone.',
    ])
    expect((await store.desk.read()).passkeys).toEqual([])
    const last = JSON.parse((await answers({ end: '1', json: true })).result)
    expect(last).toEqual({ ended: 1, removed: 0, passkeysLeft: 0 })
    expect(await openSessions(store.desk)).toEqual([])
    await expect(answers({ keepPasskeys: true })).rejects.toThrow('goes with --end')
  })
})
