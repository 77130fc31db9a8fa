/** @module-tag thorough */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { lookAtList, newestListVersion } from '../../../src/store/list-at-rest.ts'
import { ended, run } from '../../fixtures/run.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { isLong } from '../../torture/form.ts'
import { calling, killing } from './calling.ts'
import { founder, git, MIGRATION, withUpstream } from './founder.ts'

const upstream = withUpstream()

const packages = join(import.meta.dirname, '../../../node_modules')
const npmsNode = join(packages, '../scripts/bootstrap/node/node_modules')
const { emailPlaceholder: WORDS } = product
const OUR_WORDS = 'ours@example.net'

/**
 * Before or after a command of the second half: all of them in the long form. A further test kills it
 * before the first. The short form has the point that leaves most undone: the new code, the old list
 * and no note of the commit.
 */
const killPoints = isLong
  ? [
      ...['before rev-parse refs/heads/main', 'before read-tree --reset'],
      ...['after read-tree --reset', 'after update-ref --no-deref', 'before start'],
    ]
  : ['after read-tree --reset']

describe('update', () => {
  it('with --check says what would change, and changes nothing but that the user of the server may read what is to come, whatever the umask', {
    tags: 'long',
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    const before = theirs.head()
    const work = join(theirs.root, '.update')
    const line = `umask 077; '${process.execPath}' bin/opening-bell.mjs update --check`
    const check = () => ended(run(theirs.root, ['sh', '-c', line], theirs.env))
    expect((await check()).stderr).toBe('Nothing is new.\n')
    expect(statSync(work).mode & 0o777).toBe(0o755)
    // As a try before this one may have left it.
    chmodSync(work, 0o700)
    ours.release('Keep something new')
    const { code, stderr } = await check()
    expect(statSync(work).mode & 0o777).toBe(0o755)
    expect(stderr).toMatch(/New:\n {2}[0-9a-f]+ Keep something new\n/)
    expect(stderr).toContain(
      `  ${newestListVersion + 1}: Something is kept that was not known before.\n`,
    )
    expect(code).toBe(0)
    expect(theirs.head()).toBe(before)
    expect(existsSync(join(theirs.root, MIGRATION))).toBe(false)
    // Without a terminal, nobody can be asked.
    const asked = await theirs.update([])
    expect(asked).toMatchObject({ code: 1 })
    expect(asked.stderr).toContain('--yes')
    expect(theirs.head()).toBe(before)
  })

  it('brings a running server up, with the founder’s commits and edits, and everybody', async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    theirs.edit('index.html', '<html', '<html data-ours')
    git(theirs.root, 'commit', '-qam', 'Ours')
    theirs.edit('product.config.ts', WORDS, OUR_WORDS)
    writeFileSync(join(theirs.root, 'brand/second.svg'), '<svg/>')
    await theirs.start()
    expect(await theirs.signUp('ada@example.com')).toBe(201)
    const pid = theirs.serverPid()
    const newest = ours.release()
    const { code, stderr } = await theirs.update()
    expect(stderr).toContain('Yours, not committed, and kept: brand/second.svg, product.config.ts')
    expect(stderr).toContain(`up to version ${newestListVersion + 1}: 1 person, all there.`)
    expect(stderr).toMatch(/[0-9a-f]{9} runs, and is ready\.\n$/)
    expect(code).toBe(0)

    expect(theirs.serverPid()).not.toBe(pid)
    expect(await theirs.signUp('bob@example.com')).toBe(201)
    expect(lookAtList(theirs.dataDir)).toMatchObject({
      version: newestListVersion + 1,
      subscribers: 2,
    })
    expect(theirs.read('product.config.ts')).toContain(OUR_WORDS)
    expect(theirs.read('index.html')).toContain('data-ours')
    expect(existsSync(join(theirs.root, 'brand/second.svg'))).toBe(true)
    expect(git(theirs.root, 'merge-base', 'HEAD', newest)).toBe(newest)
    expect(
      git(theirs.root, 'status', '--porcelain', 'src', 'brand', 'product.config.ts').split('\n'),
    ).toEqual(['M product.config.ts', '?? brand/second.svg'])
    expect(existsSync(join(theirs.root, '.update/next'))).toBe(false)
    expect(existsSync(join(theirs.dataDir, 'subscribers.update'))).toBe(false)
    expect((await theirs.update()).stderr).toBe('Nothing is new.\n')
  })

  it('does not touch a running server for a version that does not run on a copy of its list', {
    tags: 'long',
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    await theirs.start()
    expect(await theirs.signUp('ada@example.com')).toBe(201)
    const [pid, before] = [theirs.serverPid(), theirs.head()]
    ours.release()
    ours.change(MIGRATION, 'db.exec("', 'db.exec("DELETE FROM documents;')
    ours.commit('Lose everybody')
    const refused = await theirs.update()
    expect(refused.stderr).toContain('does not have all subscribers: 0 instead of 1.')
    expect(refused.code).toBe(1)
    expect([theirs.serverPid(), theirs.head()]).toEqual([pid, before])
    expect(existsSync(join(theirs.dataDir, 'subscribers.update'))).toBe(false)
    expect(lookAtList(theirs.dataDir)).toMatchObject({ version: newestListVersion, subscribers: 1 })
  })

  it('stops before anything is changed where both changed the same line, or code that is not committed, and says what to do', {
    tags: 'long',
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    const before = theirs.head()
    theirs.edit('product.config.ts', WORDS, OUR_WORDS)
    ours.change('product.config.ts', WORDS, 'upstream@example.net')
    ours.commit('Say it in another way')
    const { code, stderr } = await theirs.update()
    expect(stderr).toContain('changed the same lines of product.config.ts. Nothing was changed.')
    expect(code).toBe(1)
    expect(theirs.head()).toBe(before)
    expect(theirs.read('product.config.ts')).toContain(OUR_WORDS)

    git(theirs.root, 'checkout', '-q', 'product.config.ts')
    theirs.edit('index.html', '<html', '<html data-ours')
    const edited = await theirs.update()
    expect(edited.stderr).toContain(
      'Changed and not committed: index.html. To keep that, "git commit" it',
    )
    expect(edited.code).toBe(1)
    expect(theirs.head()).toBe(before)
    expect(theirs.read('index.html')).toContain('data-ours')
  })

  it('goes back by itself from a version that is not ready in its place, with who signed up there', {
    tags: 'long',
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    theirs.edit('product.config.ts', WORDS, OUR_WORDS)
    await theirs.start()
    expect(await theirs.signUp('before@example.com')).toBe(201)
    const before = theirs.head()
    ours.neverReady()
    const update = theirs.begin(['--yes', '--ready-within', '10'])
    await update.printed(/Starting it/)
    await expect
      .poll(() => theirs.signUp('meanwhile@example.com').catch(() => 0), { timeout: 30_000 })
      .toBe(201)
    expect(await update.ended).toBe(1)
    const said = update.output('stderr')
    expect(said).toContain('The new version is not ready: /readyz answers 500 after 10 s')
    expect(said).toContain(`${before.slice(0, 9)} runs again, as before. No subscriber was lost.`)
    expect(theirs.head()).toBe(before)
    expect(theirs.read('product.config.ts')).toContain(OUR_WORDS)
    expect(existsSync(join(theirs.root, MIGRATION))).toBe(false)
    expect(await theirs.signUp('after@example.com')).toBe(201)
    expect(lookAtList(theirs.dataDir)).toMatchObject({
      version: newestListVersion,
      subscribers: 3,
    })
  })

  it('goes on where it was killed, at whichever step', {
    tags: 'long',
    timeout: 600_000,
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    await theirs.start()
    theirs.edit('product.config.ts', WORDS, OUR_WORDS)
    let people = 0
    const signUp = async () => {
      people += 1
      expect(await theirs.signUp(`person-${people}@example.com`)).toBe(201)
    }
    await signUp()
    for (const at of killPoints) {
      ours.change('src/server/routes/health.ts', '', `// ${at}\n`)
      const newest = at === killPoints[0] ? ours.release() : ours.commit(`For ${at}`)
      const killed = await theirs.update(['--yes'], killing(theirs.folder, at))
      expect(killed.code, `${at}\n${killed.stderr}`).not.toBe(0)
      const { code, stderr } = await theirs.update()
      expect({ at, code, stderr }).toMatchObject({ code: 0 })
      expect(theirs.head()).toBe(newest)
      expect(theirs.read('src/server/routes/health.ts')).toContain(`// ${at}\n`)
      expect(theirs.read('product.config.ts')).toContain(OUR_WORDS)
      expect(git(theirs.root, 'status', '--porcelain', 'src', 'product.config.ts')).toBe(
        'M product.config.ts',
      )
      expect(existsSync(join(theirs.root, '.update/state.json'))).toBe(false)
      await signUp()
      expect(lookAtList(theirs.dataDir)).toMatchObject({ subscribers: people })
    }
  })

  it('goes on from a half-written installation with the list that it began with, and not for what is misspelt', {
    tags: 'long',
    timeout: 600_000,
  }, async () => {
    const ours = upstream()
    const list = tempDir()
    const theirs = await founder(ours, { DATA_DIR: list })
    const [before, newest] = [theirs.head(), ours.release()]
    await theirs.update(['--yes'], killing(theirs.folder, 'before read-tree --reset'))
    const data = join(theirs.root, 'data')
    const others = [
      [{ DATA_DIR: '' }, data],
      [{ STORE: 'firestore' }, 'Firestore'],
    ] as const
    for (const [settings, other] of others) {
      const { code, stderr } = await theirs.update(['--yes'], settings)
      expect(stderr).toContain(
        `The update that is under way here is of the list in ${list}, and these settings have ${other}. Run the same command with all settings of the server, DATA_DIR=${list} among them.\n`,
      )
      expect(code).toBe(1)
      expect(theirs.head()).toBe(before)
    }
    for (const [word, code] of [
      ['--chek', 2],
      ['--check', 1],
      ['--help', 0],
    ] as const) {
      expect(await theirs.update([word])).toMatchObject({ code })
      expect(theirs.head()).toBe(before)
    }
    const files = ['src/product/folders.mjs', 'scripts/bootstrap/readable-product.mjs']
    for (const file of files) rmSync(join(theirs.root, file))
    const { code, stderr } = await theirs.update()
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(theirs.head()).toBe(newest)
    for (const file of files) expect(existsSync(join(theirs.root, file))).toBe(true)
  })

  it('is finished although the terminal went away in the middle, with a signal to all that ran there', {
    tags: 'long',
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    const newest = ours.release()
    const inGroup = "for one in INT HUP; do kill -$one -$(ps -o pgid= -p $PPID | tr -d ' '); done"
    const env = { ...theirs.env, ...calling(theirs.folder, 'before read-tree --reset', inGroup) }
    // Who reads what is said ends by that signal as well.
    const inTerminal = `'${process.execPath}' bin/opening-bell.mjs update --yes 2>&1 | cat`
    expect(await run(theirs.root, ['sh', '-c', inTerminal], env).ended).toMatch('SIG')
    const isUnderWay = () => existsSync(join(theirs.root, '.update/state.json'))
    await expect.poll(isUnderWay, { timeout: 20_000 }).toBe(false)
    expect(theirs.head()).toBe(newest)
    expect(theirs.read(MIGRATION)).toContain('Something is kept')
  })

  it('leaves the packages of the running server alone where they are not those of their lock file, and takes others from one folder to the other', {
    tags: 'long',
  }, async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    const live = join(theirs.root, 'node_modules')
    rmSync(live)
    mkdirSync(live)
    writeFileSync(join(live, 'of-the-server'), '')
    for (const name of readdirSync(packages).filter((one) => !one.startsWith('.')))
      symlinkSync(join(packages, name), join(live, name))
    writeFileSync(join(live, '.package-lock.json'), '{"packages":{}}', { flag: 'wx' })
    ours.change('src/server/routes/health.ts', '', '// Later\n')
    ours.commit('Say more')
    // As `npm ci` does, which empties the folder first.
    const npm = fakeNpm(theirs.folder, 'rm -f node_modules/of-the-server; exit 1')
    const failed = await theirs.update(['--yes'], npm)
    expect(failed.stderr).toContain('Nothing was changed.')
    expect(failed.code).toBe(1)
    expect(existsSync(join(live, 'of-the-server'))).toBe(true)

    ours.change('package-lock.json', '"version": "0.1.0"', '"version": "0.1.1"')
    ours.commit('Need other packages')
    const { code, stderr } = await theirs.update(['--yes'], fakeNpm(theirs.folder))
    expect(stderr).toContain('The packages change too.')
    expect(stderr).toContain('Start it now, as before.')
    expect(code).toBe(0)
    expect(existsSync(join(live, 'by-npm'))).toBe(true)
    expect(existsSync(join(live, 'of-the-server'))).toBe(false)
  })
})

/** An npm that installs what the tests have, or does something else. */
function fakeNpm(folder: string, instead?: string): Record<string, string> {
  const here = join(folder, 'npm')
  mkdirSync(here, { recursive: true })
  const script = `from='${packages}'; case $PWD in */bootstrap/node) from='${npmsNode}';; esac
mkdir node_modules && cd node_modules && for one in "$from"/* "$from/.package-lock.json"; do ln -s "$one" .; done; touch by-npm`
  writeFileSync(join(here, 'npm'), `#!/bin/sh\n${instead ?? script}\n`, { mode: 0o755 })
  return { PATH: `${here}:${process.env.PATH}` }
}
