import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { outputFile, syncFolder } from '../../store/output-file.ts'
import { holdAlone } from '../../store/sole-holder.ts'
import { keptList, updateMark } from '../../store/under-update.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { refuseOthers } from './alone.ts'
import { go, look, type Plan, refuseChanged } from './checkout.ts'
import { gitIn } from './git.ts'
import { lastLines, program, standApart } from './programs.ts'

export interface UpdatePlace {
  /** The checkout. */
  readonly root: string
  readonly dataDir: string
  /** The server's settings. */
  readonly env: NodeJS.ProcessEnv
  /** The shell's commands that stop the server, and start it without waiting until it is ready. */
  readonly service: { readonly stop: string; readonly start: string }
  readonly readyWithinMs: number
  readonly say: (line: string) => void
}

/** What takes an update back, or finishes it after a kill. */
type Begun = Pick<UpdatePlace, 'dataDir' | 'service'> & {
  readonly plan: Plan
  readonly host: string | undefined
  readonly port: string
}

/** npm's Node first: the others have a link to it, by which a unit of systemd may start it. */
const packages = ['scripts/bootstrap/node', '.', 'src/store/firestore']
const LOOK_EVERY_MS = 200

const inWork = (root: string) => {
  const work = join(root, '.update')
  const [next, state, index] = ['next', 'state.json', 'index'].map((name) => join(work, name))
  return { work, next: String(next), state: String(state), index: String(index) }
}

/**
 * Brings a checkout to the newest commit of the branch that it follows, and back if the server is not
 * ready there.
 *
 * @returns the exit code. @throws OperatorError; then nothing was changed, or the same command goes on.
 */
export async function update(place: UpdatePlace, isCheck: boolean): Promise<number> {
  const { root, say } = place
  const { work, state, index } = inWork(root)
  refuseOthers(root, work)
  // The service's user must be able to read the code, with any umask.
  process.umask(0o022)
  fs.mkdirSync(work, { recursive: true })
  fs.chmodSync(work, 0o755)
  // A user who may read it could lock it as well, and so prevent every update.
  fs.closeSync(fs.openSync(join(work, 'lock'), 'a', 0o600))
  fs.chmodSync(join(work, 'lock'), 0o600)
  const letGo = holdAlone(join(work, 'lock'))
  if (!letGo) throw new OperatorError('Another update is under way here.')
  try {
    if (fs.existsSync(state)) return await finish(place, isCheck)
    clear(root)
    const git = gitIn(root)
    const found = look(git, root, index)
    if (!found) {
      say('Nothing is new.')
      return exitCodes.done
    }
    const { plan, name, commit } = found
    const [log, range] = [
      ['log', '--no-merges', '-20', '--format=  %h %s'],
      `${plan.head}..${commit}`,
    ]
    const own = git(['diff', '--name-only', plan.head, plan.own]).replaceAll('\n', ', ')
    say(`Commit ${commit}, ${name}:\n${git([...log, range])}`)
    if (own) say(`Yours, not committed, and kept: ${own}`)
    if (isCheck) return exitCodes.done
    build(place, plan)
    backUp(place)
    refuseChanged(git, root, index, plan)
    return await change(place, plan)
  } finally {
    letGo()
  }
}

/** Prepares the new version beside the old one, by its own program: the running one is not touched. */
function build({ root, env, say }: UpdatePlace, { head, edits }: Plan): void {
  const [git, { next, index }] = [gitIn(root), inWork(root)]
  say('Building it …')
  git(['read-tree', edits], { index })
  git(['checkout-index', '--all', `--prefix=${next}/`], { index })
  const locks = packages.flatMap((one) => [`${one}/package.json`, `${one}/package-lock.json`])
  if (git.ask(['diff', '--quiet', head, edits, '--', ...locks]).status === 0)
    for (const folder of packages.map((one) => join(one, 'node_modules')))
      if (fs.existsSync(join(root, folder))) fs.symlinkSync(join(root, folder), join(next, folder))
  // A page of the same sources is not built again.
  if (fs.existsSync(join(root, 'dist')))
    fs.cpSync(join(root, 'dist'), join(next, 'dist'), { recursive: true })
  // Node would keep code in a folder that changes places.
  const { NODE_COMPILE_CACHE: _, ...others } = env
  const options = { cwd: next, env: others, stdio: 'inherit', timeout: 0 } as const
  if (
    program(process.execPath, ['scripts/prepared.mjs', '--server', '--page'], options).status !== 0
  )
    throw new OperatorError('The new version could not be built. Nothing was changed.')
}

/** By the installed program, which knows the list. */
function backUp({ root, dataDir, env, say }: UpdatePlace): void {
  listStep('look', root, dataDir)
  if (!env.BACKUP_TO?.trim()) {
    say('BACKUP_TO is not set, so no lasting back-up is made.')
    return
  }
  const args = ['src/cli/main.ts', 'backup', '--keep', env.BACKUP_KEEP?.trim() || '7,4,12']
  const options = { cwd: root, env: { ...env, DATA_DIR: dataDir }, ...ownerOf(dataDir) }
  const ended = program(process.execPath, args, options)
  if (ended.status !== 0)
    throw new OperatorError(`No back-up could be made. Nothing was changed. ${lastLines(ended)}`)
}

/** Stops the server, changes places, and starts it closed: nothing is taken or sent until it is ready. */
async function change(place: UpdatePlace, plan: Plan): Promise<number> {
  const { root, dataDir, env, service, say } = place
  const { state, work, index } = inWork(root)
  const begun = { plan, dataDir, service, host: env.HOST?.trim(), port: env.PORT?.trim() || '3000' }
  // The commits and the new version are on disk before what names them.
  program('sync', ['-f', root], { cwd: root })
  const file = outputFile(state, work)
  fs.writeFileSync(file.unfinished, JSON.stringify(begun, null, 2))
  file.keep()
  syncFolder(root)
  standApart()
  let why: string | undefined
  try {
    say(`Putting ${plan.after.slice(0, 9)} in place of ${plan.head.slice(0, 9)} …`)
    await stop(root, begun)
    listStep('close', root, dataDir)
    go(gitIn(root), index, plan, 'forth')
    folders(root, 'forth')
    shell(root, service.start)
    why = await whyNot(`http://127.0.0.1:${begun.port}/readyz`, place.readyWithinMs)
  } catch (cause) {
    why = (cause as Error).message
  }
  if (why === undefined) return open(place, begun)
  say(`The new version is not ready: ${why}`)
  return back(place, begun)
}

/** Ends an update that was killed: the mark beside the list says whether the new version was opened. */
async function finish(place: UpdatePlace, isCheck: boolean): Promise<number> {
  const { root, say } = place
  const begun: Begun = JSON.parse(fs.readFileSync(inWork(root).state, 'utf8'))
  say('An update was interrupted. The same command, without --check, ends it.')
  if (isCheck) return exitCodes.failed
  standApart()
  const isNew = gitIn(root)(['rev-parse', begun.plan.branch]) === begun.plan.after
  return isNew && !fs.existsSync(updateMark(begun.dataDir))
    ? open(place, begun)
    : back(place, begun)
}

/** From the moment that the mark is gone, visitors sign up at the new version, and it stays. */
async function open({ root, readyWithinMs, say }: UpdatePlace, begun: Begun): Promise<number> {
  const { dataDir, plan } = begun
  // After a power failure, the code is there that has changed the list.
  program('sync', ['-f', root], { cwd: root })
  const gone = ['-f', updateMark(dataDir), keptList(dataDir)]
  const removed = program('rm', gone, { cwd: root, ...ownerOf(dataDir) })
  if (removed.status !== 0) throw new OperatorError(lastLines(removed))
  program('sync', ['-f', dataDir], { cwd: root })
  const why = await whyNot(healthOf(begun), readyWithinMs)
  clear(root)
  const after = plan.after.slice(0, 9)
  say(why ? `${after} was ready, but does not answer now: ${why}.` : `${after} runs, and is ready.`)
  return why ? exitCodes.failed : exitCodes.done
}

/** The old commit, with the list of before where a step of the new version changed it. */
async function back(place: UpdatePlace, begun: Begun): Promise<number> {
  const { root, say } = place
  const { plan, dataDir, service } = begun
  const before = plan.head.slice(0, 9)
  say(`Going back to ${before} …`)
  await stop(root, begun)
  go(gitIn(root), inWork(root).index, plan, 'back')
  folders(root, 'back')
  listStep('back', root, dataDir)
  shell(root, service.start)
  const why = await whyNot(healthOf(begun), place.readyWithinMs)
  clear(root)
  say(
    why
      ? `${before} is in place again, but does not answer: ${why}.`
      : `${before} runs again, as before. No subscriber was lost.`,
  )
  return exitCodes.failed
}

/** Exchanges packages and page, by two renames each; after a kill, the next run does the second. */
function folders(root: string, way: 'forth' | 'back'): void {
  const { work, next } = inWork(root)
  const there = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false })
  for (const name of [...packages.map((one) => join(one, 'node_modules')), 'dist']) {
    const [here, before] = [join(root, name), join(work, 'before', name)]
    const [from, to] = way === 'forth' ? [join(next, name), before] : [before, join(next, name)]
    // A folder that the new version borrows is a link there, and stays here.
    if (!there(from) || (way === 'forth' && there(from)?.isSymbolicLink())) continue
    fs.mkdirSync(dirname(to), { recursive: true })
    if (there(to)) fs.rmSync(here, { recursive: true, force: true })
    else if (there(here)) fs.renameSync(here, to)
    fs.renameSync(from, here)
  }
}

/** @throws OperatorError where a server still answers: nobody else may have the list. */
async function stop(root: string, begun: Begun): Promise<void> {
  try {
    shell(root, begun.service.stop)
  } catch (cause) {
    // It may have ended by itself.
    if ((await answer(healthOf(begun))) !== undefined) throw cause
  }
}

function shell(root: string, line: string): void {
  // Programs that it starts go on, must not hold our output open, and ignore a Ctrl-C.
  const options = { cwd: root, stdio: 'inherit' } as const
  const ended = program('sh', ['-c', `trap '' HUP INT; ${line} >/dev/null`], options)
  if (ended.status !== 0) throw new OperatorError(`"${line}" failed.`)
}

/** One step with the list, by its owner: see `list-step.ts`. */
function listStep(step: 'look' | 'close' | 'back', root: string, dataDir: string): void {
  if (!fs.existsSync(dataDir)) return
  const script = join(import.meta.dirname, 'list-step.ts')
  const ended = program(process.execPath, [script, step, dataDir], {
    cwd: root,
    ...ownerOf(dataDir),
  })
  if (ended.status !== 0) throw new OperatorError(lastLines(ended))
}

/** The owner of the data, who alone touches it: the server could not use files of root there. */
function ownerOf(dataDir: string): { uid?: number; gid?: number } {
  const stat = fs.statSync(dataDir, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0 || !stat || stat.uid === 0) return {}
  return { uid: stat.uid, gid: stat.gid }
}

/** Waits until the server answers 200. @returns why it does not; `undefined` if it does. */
async function whyNot(url: string, withinMs: number): Promise<string | undefined> {
  for (const until = performance.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
    const status = await answer(url)
    if (status === 200) return undefined
    if (performance.now() > until)
      return `${url} ${status ? `answers ${status}` : 'does not answer'}`
  }
}

/** Where a server of these settings answers visitors on this machine, once it is open. */
function healthOf({ host, port }: Begun): string {
  const near = !host || host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}/healthz`
}

const answer = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    ({ status }) => status,
    () => undefined,
  )

/** Removes the working files, the state first. */
function clear(root: string): void {
  const { work, state, next, index } = inWork(root)
  program('sync', ['-f', root], { cwd: root })
  for (const path of [state, next, join(work, 'before'), index])
    fs.rmSync(path, { recursive: true, force: true })
}
