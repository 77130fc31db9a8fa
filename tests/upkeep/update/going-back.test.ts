/** @module-tag long */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { lookAtList, newestListVersion } from '../../../src/store/list-at-rest.ts'
import { killing } from './calling.ts'
import { founder, git, MIGRATION, withUpstream } from './founder.ts'

const upstream = withUpstream()

/** A running server with somebody on its list. */
async function running() {
  const ours = upstream()
  const theirs = await founder(ours)
  await theirs.start()
  expect(await theirs.signUp('before@example.com')).toBe(201)
  return { ours, theirs, before: theirs.head() }
}

type Founder = Awaited<ReturnType<typeof founder>>

/** The code, the list and the server are those of before. */
async function expectWhole(theirs: Founder, before: string, subscribers: number) {
  expect(theirs.head()).toBe(before)
  expect(existsSync(join(theirs.root, MIGRATION))).toBe(false)
  expect(existsSync(join(theirs.root, '.update/state.json'))).toBe(false)
  expect(git(theirs.root, 'status', '--porcelain', 'src', 'product.config.ts')).toBe('')
  expect(await theirs.signUp('after@example.com')).toBe(201)
  expect(lookAtList(theirs.dataDir)).toMatchObject({
    version: newestListVersion,
    subscribers: subscribers + 1,
  })
}

it('takes the list back although the new version brings it up only as it is stopped', async () => {
  const { ours, theirs, before } = await running()
  ours.release()
  ours.change(
    'src/server/main.ts',
    '',
    `import { bringUp } from '../store/sqlite/bring-up.ts'
if (process.env.PORT !== '0') {
  await new Promise((go) => process.once('SIGTERM', go) && setInterval(() => {}, 1000))
  await bringUp(join(String(process.env.DATA_DIR), 'subscribers.sqlite'), 'test')
  process.exit()
}
`,
  )
  ours.commit('Bring the list up late')
  const { code, stderr } = await theirs.update(['--yes', '--ready-within', '1'])
  expect(stderr).toContain(`of version ${newestListVersion} again, with everybody: 1 person`)
  expect(stderr).toContain('runs again, as before. No subscriber was lost.')
  expect(code).toBe(1)
  await expectWhole(theirs, before, 1)
})

it('goes back whole although it is killed between code and list, and something starts a server then', async () => {
  const { ours, theirs, before } = await running()
  ours.release()
  ours.neverReady()
  const between = `after update-ref --no-deref refs/heads/main ${before}`
  const killed = await theirs.update(
    ['--yes', '--ready-within', '5'],
    killing(theirs.folder, between),
  )
  expect(killed.stderr).toMatch(/Going back to \S+ …\n$/)
  expect(killed.code).not.toBe(0)
  expect(theirs.head()).toBe(before)
  expect(lookAtList(theirs.dataDir)?.version).toBe(newestListVersion + 1)
  theirs.stop()
  theirs.spawn()

  const { code, stderr } = await theirs.update()
  expect(stderr).toContain('runs again, as before. No subscriber was lost.')
  expect(code).toBe(1)
  await expectWhole(theirs, before, 1)
})

it('stays whole on the new version while the list is held, nothing can be stopped or the list not read, and goes back when it can', {
  timeout: 600_000,
}, async () => {
  const { ours, theirs, before } = await running()
  ours.release()
  const newest = ours.neverReady()
  const list = join(theirs.dataDir, 'subscribers.sqlite')
  const control = join(theirs.folder, 'control.sh')
  const script = readFileSync(control, 'utf8')
  const expectNew = async (update: Awaited<ReturnType<Founder['update']>>, why: string) => {
    expect(update.stderr).toContain('The list could not go back, so the new version stays.')
    expect(update.stderr).toContain(why)
    expect(update.code).toBe(1)
    expect(theirs.head()).toBe(newest)
    expect(existsSync(join(theirs.root, MIGRATION))).toBe(true)
    const alive = () =>
      fetch(`${theirs.url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(alive, { timeout: 20_000 }).toBe(200)
  }

  // Once the new version answers, nothing stops it.
  const started = join(theirs.folder, 'started')
  const asks = `fetch('${theirs.url}/healthz').then(() => process.exit(), () => process.exit(1))`
  writeFileSync(
    control,
    `[ $1 = stop ] && [ -e '${started}' ] && exit 3
${script}
[ $1 = stop ] || { until '${process.execPath}' -e "${asks}"; do sleep 0.1; done; touch '${started}'; }
`,
  )
  const stuck = await theirs.update(['--yes', '--ready-within', '1'])
  await expectNew(stuck, 'stop" failed')

  writeFileSync(control, script)
  const holder = new DatabaseSync(list)
  holder.prepare('PRAGMA user_version').get()
  await expectNew(await theirs.update(), 'The list could not go back')
  await expect
    .poll(() => theirs.signUp('there@example.com').catch(() => 0), { timeout: 20_000 })
    .toBe(201)
  holder.close()

  const broken = `[ -e '${list}.kept' ] || { mv '${list}' '${list}.kept'; echo broken >'${list}'; }`
  writeFileSync(control, `${script}case $1 in stop) ${broken};; esac\n`)
  await expectNew(await theirs.update(), 'The list cannot be used: file is not a database')

  writeFileSync(control, script)
  theirs.stop()
  rmSync(list)
  renameSync(`${list}.kept`, list)
  expect((await theirs.update()).stderr).toContain('runs again, as before. No subscriber was lost.')
  await expectWhole(theirs, before, 2)
})
