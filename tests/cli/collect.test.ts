/** @module-tag thorough */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startPausingProxy } from '../emulators/pausing-proxy.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { homeOnFile } from '../fixtures/home.ts'
import { launchPad } from '../fixtures/launch-pad.ts'
import { operator } from '../fixtures/operator.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { ago, inboxStage } from '../from-firestore/inbox-stage.ts'

const [ada, bob, cy] = ['ada@example.com', 'bob@example.com', 'cy@example.com']
const DAY = 86_400

describe('the operator of a page on Firebase', { timeout: 300_000 }, () => {
  const emulator = withFirestoreEmulator()

  function stage(through = emulator().origin) {
    const { project, ...inbox } = inboxStage(emulator().origin)
    const settings = {
      GOOGLE_CLOUD_PROJECT: project,
      FIRESTORE_EMULATOR_HOST: new URL(through).host,
      NO_COLOR: '1',
    }
    const tool = (dataDir: string, args: string[], more: NodeJS.ProcessEnv = {}) =>
      operator(args, { env: { ...settings, LINK_KEY: '', DATA_DIR: dataDir, ...more } })
    return { ...inbox, settings, tool }
  }

  it('takes in what came, and has it in a file, with a word until there is a copy', async () => {
    const { write, tool } = stage()
    const dataDir = tempDir()
    await write([
      [ada, ago(9)],
      [bob, ago(8)],
    ])
    const collected = await tool(dataDir, ['collect'])
    expect(collected).toMatchObject({
      code: 0,
      stderr: '2 documents taken in; 2 people on the list.\n',
    })
    await write([[cy, ago(7)]])
    const exported = await tool(dataDir, ['export'])
    expect(exported).toMatchObject({ code: 0 })
    expect(exported.stdout.match(/\w+@example\.com/g)).toEqual([ada, bob, cy])
    const status = async () => (await tool(dataDir, ['status'])).stdout
    expect(await status()).toContain('PROBLEM: Sign-ups: No copy was made in the last week')
    expect(JSON.parse((await tool(dataDir, ['status', '--json'])).stdout).notes).toContainEqual(
      expect.objectContaining({ code: 'documents', documents: 3, missing: 0, isAlone: true }),
    )
    expect(await tool(dataDir, ['backup', '--to', tempDir()])).toMatchObject({
      code: 0,
    })
    expect(await status()).not.toContain('PROBLEM: Sign-ups')
  })

  it('is told what to set, and what is missing, before another list takes over', async () => {
    const { write, tool } = stage()
    const [first, second] = [tempDir(), tempDir()]
    await write([[ada, ago(9)]])
    await tool(first, ['collect'])
    await tool(first, ['unsubscribe', ada])
    await tool(first, ['collect'])
    const none = { GOOGLE_CLOUD_PROJECT: '', GOOGLE_APPLICATION_CREDENTIALS: '' }
    expect((await tool(second, ['collect'], none)).stderr).toMatch(/^Sign-ups .* set GOOGLE_/)
    // A list that takes in does not forget it where a setting is gone.
    expect((await tool(first, ['export'], none)).stderr).toMatch(/^Sign-ups .* set GOOGLE_/)
    const refused = await tool(second, ['collect'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toMatch(/taken in by the list on .*, last at .* restore its last copy/)
    const taken = await tool(second, ['collect', '--take-over'])
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stderr).toMatch(/knew of 1 who said no; this list told Firestore of 0\./)
    expect((await tool(second, ['list', '--all'])).stdout).toMatch(/unsubscribed +.*ada@/)
    expect((await tool(first, ['export', '--all'])).stderr).toMatch(/taken in by the list on/)
  })

  it('erases at Google too, and is told with another code while that is not done', async () => {
    const proxy = await startPausingProxy(emulator().origin)
    const { write, list, tool } = stage(proxy.origin)
    const dataDir = tempDir()
    await write([
      [ada, ago(9)],
      [bob, ago(8)],
    ])
    await tool(dataDir, ['collect'])
    expect(await tool(dataDir, ['forget', ada])).toMatchObject({ code: 0 })
    expect((await list.get()).docs.map((one) => one.get('email'))).toEqual([bob])
    proxy.pause()
    const forgotten = await tool(dataDir, ['forget', bob])
    expect(forgotten).toMatchObject({ code: 3, stdout: 'The subscriber is forgotten.\n' })
    expect(forgotten.stderr).toContain('1 address erased here, not yet at Google.')
    expect((await tool(dataDir, ['status'])).stdout).toContain(
      'PROBLEM: Sign-ups: Erased here, not yet at Google: 1 address.',
    )
    proxy.resume()
    await tool(dataDir, ['collect'])
    expect((await list.get()).size).toBe(0)
    await proxy.close()
  })

  it('has each no kept at Google at once, also of who came by a file', async () => {
    const proxy = await startPausingProxy(emulator().origin)
    const { write, claim, tool } = stage(proxy.origin)
    const dataDir = tempDir()
    const file = join(tempDir(), 'more.csv')
    writeFileSync(file, `email,subscribedAt\n${cy},2026-01-01T00:00:00Z\n`)
    await write([[ada, ago(9)]])
    await tool(dataDir, ['collect'])
    await tool(dataDir, ['import', file])
    const noes = async () => (await claim.collection('noes').get()).size
    expect(await tool(dataDir, ['unsubscribe', ada])).toMatchObject({ code: 0, stderr: '' })
    expect(await noes()).toBe(1)
    await tool(dataDir, ['unsubscribe', cy])
    expect(await noes()).toBe(2)
    proxy.pause()
    const away = await tool(dataDir, ['suppress', file, '--as', 'complained'])
    expect(away.stderr).toContain('Who said no since is known to this machine alone.')
    proxy.resume()
    await proxy.close()
  })

  it('stops a letter within the hour once another list takes in', async () => {
    const { open, write, settings } = stage()
    const home = homeOnFile()
    await write(Array.from({ length: 6 }, (_, n) => [`visitor${n}@example.com`, ago(9)] as const))
    let takenOver: Promise<unknown> | undefined
    const pad = await launchPad(0, {
      home: { ...home, env: { ...home.env, ...settings } },
      behaviour: () => {
        takenOver ??= open(undefined, 'desktop').collect.toTheEnd({ takeOver: true })
        return 'accept'
      },
    })
    const now = performance.now.bind(performance)
    void expect
      .poll(() => takenOver, { timeout: 60_000 })
      .toBeDefined()
      .then(async () => {
        await takenOver
        vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_700_000)
      })
    const stopped = await pad.announce('--rate', '1')
    vi.restoreAllMocks()
    expect(stopped).toMatchObject({ code: 1 })
    expect(stopped.stderr).toContain('Firestore is taken in by the list on desktop')
    expect(pad.inboxes().length).toBeLessThan(6)
  })

  it('announces to all who are there, and names as new who is taken in later', async () => {
    const proxy = await startPausingProxy(emulator().origin)
    const { write, settings, tool } = stage(proxy.origin)
    const home = homeOnFile()
    const pad = await launchPad(1, { home: { ...home, env: { ...home.env, ...settings } } })
    await write([
      [ada, ago(9)],
      [bob, ago(8)],
    ])
    const sent = await pad.announce()
    expect(sent).toMatchObject({ code: 0 })
    expect(sent.stdout).toContain('The balance holds: 3 = 3 sent')
    expect(sent.stderr).toContain('is on this machine alone')
    // Signed up before the letter began, and taken in after it.
    await write([[cy, ago(DAY)]])
    await tool(home.dataDir, ['collect'])
    const again = await pad.announce()
    expect(again.stdout).toMatch(/1 new subscriber since this began\. .* --include-new$/m)
    expect(pad.inboxes()).not.toContain(cy)
    proxy.pause()
    const away = await pad.announce('--include-new')
    expect(away).toMatchObject({ code: 1 })
    expect(away.stderr).toContain('Nothing was sent.')
    proxy.resume()
    const newcomers = await pad.announce('--include-new')
    expect(newcomers.stdout).toContain('The balance holds: 4 = 4 sent')
    expect(pad.inboxes()).toContain(cy)
    await proxy.close()
  })
})
