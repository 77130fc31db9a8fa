import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { productFolder } from '../../product/folders.mjs'
import { orUndefined } from '../../shared/or-undefined.ts'
import { outputFile } from '../../store/output-file.ts'
import { holdAlone } from '../../store/sole-holder.ts'
import { keptList, updateMark } from '../../store/under-update.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { listOf } from '../run.ts'
import { refuseOthers } from './alone.ts'
import { foundersOwn, go, isIn, makeIn, type Plan, plan, type Version } from './checkout.ts'
import { fetchNewest, gitIn } from './git.ts'
import { lastLines, must, program, standApart } from './programs.ts'
import { type Service, serviceOf } from './service.ts'

export interface UpdateOptions extends Partial<Service> {
  /** Only say what would change. */
  readonly check?: boolean
  /** In seconds. */
  readonly readyWithin: number
}

type Say = (line: string) => void

/** An update that has begun: in `state.json`, what takes it back, or finishes it after a kill. */
interface Begun extends Service {
  readonly plan: Plan
  readonly dataDir: string
  readonly host: string | undefined
  readonly port: string | undefined
  readonly readyWithin: number
  readonly say: Say
}

/** The checkout. What was interrupted is ended by the new version, which stands whole beside it. */
const root = productFolder.replace(/\/\.update\/next$/, '')
const work = join(root, '.update')
const state = join(work, 'state.json')
const git = gitIn(root)
const { env } = process

/**
 * What git does not know of a version, each with the file in it that says what is there. npm's Node first,
 * by which a unit of systemd may start.
 */
const made: readonly (readonly [name: string, list: string])[] = [
  ['scripts/bootstrap/node/node_modules', '.package-lock.json'],
  ['node_modules', '.package-lock.json'],
  ['src/store/firestore/node_modules', '.package-lock.json'],
  ['dist', 'built-from'],
]
const LOOK_EVERY_MS = 200

/**
 * Brings a checkout to the newest commit of the branch that it follows, and back if the server is not
 * ready there.
 *
 * @returns the exit code. @throws OperatorError; then nothing was changed, or the same command goes on.
 */
export async function update(options: UpdateOptions, say: Say): Promise<number> {
  refuseOthers(root, work)
  // The service's user must be able to read the code, with any umask.
  process.umask(0o022)
  fs.mkdirSync(work, { recursive: true })
  // A user who may read it could lock it as well, and so prevent every update.
  const lock = join(work, 'lock')
  fs.closeSync(fs.openSync(lock, 'a', 0o600))
  fs.chmodSync(lock, 0o600)
  const letGo = holdAlone(lock)
  if (!letGo) throw new OperatorError('Another update is under way here.')
  try {
    return await (fs.existsSync(state) ? finish(options, say) : begin(options, say))
  } finally {
    letGo()
  }
}

async function begin(options: UpdateOptions, say: Say): Promise<number> {
  clear()
  const { name, commit } = fetchNewest(git)
  if (isIn(git, commit, 'HEAD')) {
    say('Nothing is new.')
    return exitCodes.done
  }
  const shown = plan(git, commit)
  const log = ['log', '--no-merges', '-20', '--format=  %h %s', `${shown.old.commit}..${commit}`]
  say(`Commit ${commit}, ${name}:\n${git(log)}`)
  const edited = git(['status', '--short', '--untracked-files=all', '--', ...foundersOwn])
  if (edited) say(`Yours, not committed, and kept:\n${edited}`)
  if (options.check) return exitCodes.done
  const service = serviceOf(root, env, options)
  const { dataDir } = listOf(root)
  say('Building it …')
  build(shown.next)
  backUp(dataDir, say)
  const now = plan(git, commit)
  if (now.branch !== shown.branch || !isDeepStrictEqual(now.old, shown.old))
    throw new OperatorError(
      'Something changed here meanwhile, so nothing was updated: start again.',
    )
  const { HOST: host, PORT: port } = env
  return change({
    ...service,
    plan: now,
    dataDir,
    host,
    port,
    readyWithin: options.readyWithin,
    say,
  })
}

/** Prepares the new version beside the old one, by its own program: the running one is not touched. */
function build(version: Version): void {
  const next = join(work, 'next')
  makeIn(git, next, version)
  copyMade(made, root, next)
  const unknown = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...foundersOwn]
  for (const path of git(unknown).split('\0').filter(Boolean))
    fs.cpSync(join(root, path), join(next, path), { verbatimSymlinks: true })
  // Node would keep code in a folder that changes places.
  const { NODE_COMPILE_CACHE: _, ...others } = env
  const options = { cwd: next, env: others, stdio: 'inherit', timeout: 0 } as const
  if (
    program(process.execPath, ['scripts/prepared.mjs', '--server', '--page'], options).status !== 0
  )
    throw new OperatorError('The new version could not be built. Nothing was changed.')
  const listIn = (version: string, [name, list]: (typeof made)[number]) =>
    orUndefined(() => fs.readFileSync(join(version, name, list), 'utf8'))
  // It stays whole, so that it can end this after a kill.
  const changed = made.filter((one) => listIn(next, one) !== listIn(root, one))
  copyMade(changed, next, join(work, 'made'))
}

/** By the installed program, which knows the list. */
function backUp(dataDir: string, say: Say): void {
  listStep('look', dataDir)
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
async function change(begun: Begun): Promise<number> {
  const { plan, say } = begun
  // The commits and the new version are on disk before what names them.
  sync(root)
  const file = outputFile(state, work)
  fs.writeFileSync(file.unfinished, JSON.stringify(begun, null, 2))
  file.keep()
  standApart()
  let why: string | undefined
  try {
    say(`Putting ${short(plan.next)} in place of ${short(plan.old)} …`)
    shell(begun.stop)
    listStep('close', begun.dataDir)
    put('next', plan)
    start(begun)
    why = await whyNot(begun, '127.0.0.1')
  } catch (cause) {
    why = (cause as Error).message
  }
  if (why === undefined) return open(begun)
  say(`The new version is not ready: ${why}`)
  return back(begun)
}

/** Ends an update that was killed: the mark beside the list says whether the new version was opened. */
async function finish({ check, readyWithin }: UpdateOptions, say: Say): Promise<number> {
  const begun: Begun = { ...JSON.parse(fs.readFileSync(state, 'utf8')), readyWithin, say }
  say('An update was interrupted. The same command, without --check, ends it.')
  if (check) return exitCodes.failed
  standApart()
  const isNew = git(['rev-parse', begun.plan.branch]) === begun.plan.next.commit
  const isOpened = isNew && !fs.existsSync(updateMark(begun.dataDir))
  return isOpened ? open(begun) : back(begun)
}

/** From the moment that the mark is gone, visitors sign up at the new version, and it stays. */
async function open(begun: Begun): Promise<number> {
  const { dataDir, plan } = begun
  // After a power failure, the code is there that has changed the list.
  sync(root)
  must('rm', ['-f', updateMark(dataDir), keptList(dataDir)], ownerOf(dataDir))
  sync(dataDir)
  const isRunning = await settle(begun, `${short(plan.next)} runs, and is ready.`)
  return isRunning ? exitCodes.done : exitCodes.failed
}

/** The old commit, with the list of before where a step of the new version changed it. */
async function back(begun: Begun): Promise<number> {
  const { plan, say } = begun
  const old = short(plan.old)
  say(`Going back to ${old} …`)
  shell(begun.stop)
  put('old', plan)
  listStep('back', begun.dataDir)
  start(begun)
  await settle(begun, `${old} runs again, as before. No subscriber was lost.`)
  return exitCodes.failed
}

/** Says how it ended, and tidies up. @returns whether visitors have an answer. */
async function settle(begun: Begun, well: string): Promise<boolean> {
  const why = await whyNot(begun, begun.host)
  clear()
  begun.say(why ? `${git(['rev-parse', '--short=9', 'HEAD'])} is in place, but ${why}` : well)
  return why === undefined
}

const short = ({ commit }: Version) => commit.slice(0, 9)

/** Puts a version in place. Of packages and page, only names change, so that nobody waits for it. */
function put(which: 'old' | 'next', { branch, old, next }: Plan): void {
  if (which === 'next') go(git, branch, old, next)
  else go(git, branch, next, old)
  const [source, away] = which === 'next' ? ['made', 'old'] : ['old', 'made']
  for (const [name] of made) {
    const [from, here, to] = [join(work, source, name), join(root, name), join(work, away, name)]
    if (!fs.existsSync(from)) continue
    fs.mkdirSync(dirname(to), { recursive: true })
    // After a kill between the two names, only Node's cache can have come here.
    if (fs.existsSync(to)) fs.rmSync(here, { recursive: true, force: true })
    else if (fs.existsSync(here)) fs.renameSync(here, to)
    fs.renameSync(from, here)
  }
}

/** Puts packages and page into another place, as links to the same files: those are only ever replaced. */
function copyMade(which: typeof made, from: string, to: string): void {
  // There are no such links between two disks, nor to a file of another user.
  const copy = 'cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2"; cp -a "$1" "$2"; }'
  for (const [name] of which.filter(([one]) => fs.existsSync(join(from, one)))) {
    fs.mkdirSync(dirname(join(to, name)), { recursive: true })
    must('sh', ['-c', copy, 'sh', join(from, name), join(to, name)], {})
  }
}

function start({ start }: Service): void {
  if (shell(start) !== 0) throw new OperatorError(`"${start}" failed.`)
}

/**
 * @returns the exit code. Nobody asks for that of a stop: the server may have ended by itself, and the
 *   list's lock says whether it did.
 */
function shell(line: string): number {
  // Programs that it starts go on, must not hold our output open, and ignore a Ctrl-C.
  const options = { cwd: root, stdio: 'inherit' } as const
  return program('sh', ['-c', `trap '' HUP INT; ${line} >/dev/null`], options).status
}

/** One step with the list, by its owner: see `list-step.ts`. */
function listStep(step: 'look' | 'close' | 'back', dataDir: string): void {
  if (!fs.existsSync(dataDir)) return
  const script = join(import.meta.dirname, 'list-step.ts')
  must(process.execPath, [script, step, dataDir], { cwd: root, ...ownerOf(dataDir) })
}

/** The owner of the data, who alone touches it: the server could not use files of root there. */
function ownerOf(dataDir: string): { uid?: number; gid?: number } {
  const stat = fs.statSync(dataDir, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0 || !stat || stat.uid === 0) return {}
  return { uid: stat.uid, gid: stat.gid }
}

/** Waits until the server is ready for sign-ups. @returns why it is not; `undefined` if it is. */
async function whyNot({ port, readyWithin }: Begun, host: string | undefined) {
  const ask = [join(root, 'src/server/is-ready.ts'), '--within', String(readyWithin)]
  const options = { env: { ...env, HOST: host, PORT: port }, timeout: 0 }
  for (const until = performance.now() + readyWithin * 1000; ; await sleep(LOOK_EVERY_MS)) {
    // It tells the first answer, which may be that it is not ready yet.
    const asked = program(process.execPath, ask, options)
    if (asked.status === 0) return undefined
    if (performance.now() > until) return lastLines(asked)
  }
}

/** Waits until what was written there would survive a power failure. */
const sync = (folder: string) => program('sync', ['-f', folder], {})

/** Removes the working files, the state first. */
function clear(): void {
  sync(root)
  for (const name of ['state.json', 'next', 'made', 'old'])
    fs.rmSync(join(work, name), { recursive: true, force: true })
  git(['worktree', 'prune'])
}
