import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { backupSettings } from '../../config/programs.ts'
import { environment } from '../../product/environment.ts'
import { productFolder } from '../../product/folders.mjs'
import { orUndefined } from '../../shared/or-undefined.ts'
import { holdAlone } from '../../store/sole-holder.ts'
import { keptList, updateMark } from '../../store/under-update.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { setting, settingsOf } from '../run.ts'
import { foundersOwn, go, isIn, makeIn, type Plan, plan } from './checkout.ts'
import { fetchNewest, gitIn } from './git.ts'
import { refuseOthers, type Service, serviceOf } from './installed.ts'
import { must, standApart } from './programs.ts'

export interface UpdateOptions extends Partial<Service> {
  /** Only say what would change. */
  readonly check?: boolean
  /** In seconds. */
  readonly readyWithin: number
}

/** An update that has begun: in `state.json`, what takes it back, or finishes it after a kill. */
interface Begun extends Plan, Service, Pick<UpdateOptions, 'readyWithin'> {
  readonly dataDir: string
  readonly host: string
  readonly port: number
}

type Say = (line: string) => void

/** The checkout. What was interrupted is ended by the new version, as long as that stands whole beside it. */
const root = productFolder.replace(/\/\.update\/next$/, '')
const work = join(root, '.update')
const state = join(work, 'state.json')
const git = gitIn(root)

/** What git does not know of a version; first what our program runs on. */
const made = [
  ...['node_modules', 'scripts/bootstrap/node/node_modules'],
  ...['src/store/firestore/node_modules', 'dist'],
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
  const letGo = holdAlone(lock)
  if (!letGo) throw new OperatorError('Another update is under way here.')
  try {
    const wasInterrupted = fs.existsSync(state)
    if (wasInterrupted)
      say('An update was interrupted. The same command, without --check, ends it.')
    else if (!begin(options, say)) return exitCodes.done
    return options.check ? exitCodes.failed : await change(wasInterrupted, say)
  } finally {
    letGo()
  }
}

/** Does all that leaves the running server as it is. @returns whether there is something to change. */
function begin(options: UpdateOptions, say: Say): boolean {
  clear()
  const { name, commit } = fetchNewest(git)
  if (isIn(git, commit, 'HEAD')) {
    say('Nothing is new.')
    return false
  }
  const shown = plan(git, commit)
  const coming = git('log', '--no-merges', '-20', '--format=  %h %s', commit, '^HEAD')
  say(`Commit ${commit}, ${name}:\n${coming}`)
  const edited = git('status', '--short', '--untracked-files=all', '--', ...foundersOwn)
  if (edited) say(`Yours, not committed, and kept:\n${edited}`)
  if (options.check) return false
  const hasSettings = settingsOf(({ isSet }) => isSet('DATA_DIR'))
  const service = serviceOf(root, { ...options, hasSettings })
  const dataDir = settingsOf(({ get }) => get('DATA_DIR'), root)
  const address = { host: setting('HOST'), port: setting('PORT') }
  say('Building it …')
  build(shown)
  backUp(dataDir, say)
  if (!isDeepStrictEqual(plan(git, commit), shown))
    throw new OperatorError(
      'Something changed here meanwhile, so nothing was updated: start again.',
    )
  const { readyWithin } = options
  const begun: Begun = { ...shown, ...service, ...address, readyWithin, dataDir }
  fs.writeFileSync(`${state}.part`, JSON.stringify(begun, null, 2))
  // The commits and the new version are on disk before what names them.
  sync(root)
  fs.renameSync(`${state}.part`, state)
  return true
}

/** Prepares the new version beside the old one, by its own program: the running one is not touched. */
function build(plan: Plan): void {
  const next = join(work, 'next')
  makeIn(git, next, plan)
  for (const name of made.filter((one) => fs.existsSync(join(root, one)))) {
    // Links to the same files, which are only ever replaced; there are none between disks or users.
    const copy = 'cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2"; cp -a "$1" "$2"; }'
    must('', 'sh', ['-c', copy, 'sh', join(root, name), join(next, name)])
  }
  const unknown = git('ls-files', '--others', '--exclude-standard', '-z', '--', ...foundersOwn)
  for (const path of unknown.split('\0').filter(Boolean))
    fs.cpSync(join(root, path), join(next, path), { verbatimSymlinks: true })
  const failure = 'The new version could not be built. Nothing was changed.'
  const prepare = ['scripts/prepared.mjs', '--server', '--page']
  must(failure, process.execPath, prepare, { cwd: next, stdio: 'inherit', timeout: 0 })
}

/** By the installed program, which knows the list. */
function backUp(dataDir: string, say: Say): void {
  listStep('look', dataDir)
  const { to, keep } = settingsOf(
    (reader) => ({ ...backupSettings(reader), keep: reader.get('BACKUP_KEEP') }),
    root,
  )
  if (to === undefined) {
    say('BACKUP_TO is not set, so no lasting back-up is made.')
    return
  }
  const args = ['src/cli/main.ts', 'backup', '--keep', keep]
  const options = { cwd: root, env: { ...environment, DATA_DIR: dataDir }, ...ownerOf(dataDir) }
  must('No back-up could be made. Nothing was changed.', process.execPath, args, options)
}

/** Changes places, and opens the new version if it is ready; otherwise all becomes as it was. */
async function change(wasInterrupted: boolean, say: Say): Promise<number> {
  const begun: Begun = JSON.parse(fs.readFileSync(state, 'utf8'))
  const { dataDir, next, old } = begun
  standApart()
  // From the moment that the mark is gone, visitors sign up at the new version, and it stays.
  const isOpened = () =>
    git('rev-parse', begun.branch) === next && !fs.existsSync(updateMark(dataDir))
  const isReady = wasInterrupted ? isOpened() : await isReadyIn(begun, say)
  const version = short(isReady ? next : old)
  if (isReady) {
    // After a power failure, the code is there that has changed the list.
    sync(root)
    must('', 'rm', ['-f', updateMark(dataDir), keptList(dataDir)], ownerOf(dataDir))
    sync(dataDir)
  } else {
    say(`Going back to ${version} …`)
    stop(begun)
    swap('old', 'next')
    go(git, begun, 'old')
    listStep('back', dataDir)
    shell(begun.start)
  }
  await untilReady(`${version} is in place, but`, begun, begun.host).finally(clear)
  say(`${version} runs${isReady ? ', and is ready' : ' again, as before. No subscriber was lost'}.`)
  return isReady ? exitCodes.done : exitCodes.failed
}

/** Puts the new version in place, and starts it closed: nothing is taken or sent until it is opened. */
async function isReadyIn(begun: Begun, say: Say): Promise<boolean> {
  say(`Putting ${short(begun.next)} in place of ${short(begun.old)} …`)
  try {
    stop(begun)
    listStep('keep', begun.dataDir)
    go(git, begun, 'next')
    swap('next', 'old')
    shell(begun.start)
    await untilReady('The new version is not ready:', begun, '127.0.0.1')
    return true
  } catch (cause) {
    say((cause as Error).message)
    return false
  }
}

const short = (commit: string) => commit.slice(0, 9)

/** Gives packages and page the places of others. Only names change, so that nobody waits for it. */
function swap(from: 'old' | 'next', away: 'old' | 'next'): void {
  for (const name of made) {
    const [source, here, to] = [join(work, from, name), join(root, name), join(work, away, name)]
    if (!fs.existsSync(source)) continue
    fs.mkdirSync(dirname(to), { recursive: true })
    // After a kill between the two names, only Node's cache can have come here.
    if (fs.existsSync(to)) fs.rmSync(here, { recursive: true, force: true })
    else if (fs.existsSync(here)) fs.renameSync(here, to)
    fs.renameSync(source, here)
  }
}

/** Nobody asks how it ended: the server may have ended by itself, and the list's lock says whether it did. */
const stop = (begun: Service) => orUndefined(() => shell(begun.stop))

/** What it starts goes on, and must not hold our output open. */
const shell = (line: string) =>
  must(`"${line}" failed.`, 'sh', ['-c', line], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** One step with the list, by its owner: see `list-step.ts`. */
function listStep(step: 'look' | 'keep' | 'back', dataDir: string): void {
  if (!fs.existsSync(dataDir)) return
  const script = join(import.meta.dirname, 'list-step.ts')
  must('', process.execPath, [script, step, dataDir], { cwd: root, ...ownerOf(dataDir) })
  sync(dataDir)
}

/** The owner of the data, who alone touches it: the server could not use files of root there. */
function ownerOf(dataDir: string): { uid?: number; gid?: number } {
  const stat = fs.statSync(dataDir, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0 || !stat || stat.uid === 0) return {}
  return { uid: stat.uid, gid: stat.gid }
}

/** Waits until the server is ready for sign-ups. @throws OperatorError of `failure`, and why it is not. */
async function untilReady(failure: string, begun: Begun, host: string): Promise<void> {
  const { port, readyWithin } = begun
  const ask = [join(root, 'src/server/is-ready.ts'), '--within', String(readyWithin)]
  const options = { env: { ...environment, HOST: host, PORT: String(port) }, timeout: 0 }
  for (const until = performance.now() + readyWithin * 1000; ; await sleep(LOOK_EVERY_MS))
    try {
      // It tells the first answer, which may be that it is not ready yet.
      must(failure, process.execPath, ask, options)
      return
    } catch (cause) {
      if (performance.now() > until) throw cause
    }
}

/** Waits until what was written there would survive a power failure. */
const sync = (folder: string) => orUndefined(() => must('', 'sync', ['-f', folder]))

/** Removes the working files, the state first. */
function clear(): void {
  sync(root)
  for (const name of ['state.json', 'next', 'old'])
    fs.rmSync(join(work, name), { recursive: true, force: true })
  git('worktree', 'prune')
}
