import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { desk } from '../../../src/cli/commands/desk.ts'
import { makeLink, openWithLink } from '../../../src/desk/access/sessions.ts'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { ended, run } from '../../fixtures/run.ts'
import { listening } from '../../fixtures/spoken.ts'

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

  it('ends everybody who is in, and every open link', async () => {
    const { store, linkKey, options } = open()
    const links = [await makeLink(store.desk, linkKey), await makeLink(store.desk, linkKey)]
    const use = ({ path, secret }: { path: string; secret: string }) =>
      openWithLink(store.desk, linkKey, {
        linkId: String(deskTokens(linkKey).idOf('link', path)),
        secret,
        device: 'Safari on iPhone',
      })
    if (links[0]) await use(links[0])
    const { out, said } = listening()
    await desk(store.desk, { ...options, end: true }, out)
    expect(said).toEqual(['1 session ended. Links that were not used yet open nothing any more.'])
    expect((await store.desk.read()).sessions).toEqual([])
    if (links[1]) expect((await use(links[1])).outcome).toBe('too-old')
    const again = listening()
    await desk(store.desk, { ...options, end: true, json: true }, again.out)
    expect(JSON.parse(again.result())).toEqual({ ended: 0 })
  })
})
