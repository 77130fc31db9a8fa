import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LogLine } from '../../../announcement/run/log-line.ts'
import { objectIn } from '../../../shared/stored-json.ts'
import { makeNew } from '../../../store/output-file.ts'
import { namesIn, openOwn, ownFolderAt } from './letter-folder.ts'
import type { Stage } from './sending-settings.ts'

/** What the desk knows of a run that it starts. */
export interface RunHead {
  readonly stage: Stage
  /** When it was started, in ISO 8601. */
  readonly at: string
  /** The machine, as `thisMachine` names it. */
  readonly host: string
  /** How many it was to send to. */
  readonly people: number
  /** How many had the letter already, or had ended otherwise. */
  readonly before: number
  /** The other arguments of the command. */
  readonly args: readonly string[]
}

/** How a run ended by itself. */
export type RunEnded = LogLine & { readonly code: 'ended' }

/** A run that the desk started, as its log tells of it. */
export interface Run {
  /** From 1. */
  readonly number: number
  readonly head: RunHead
  /** `undefined` where it was never begun. */
  readonly pid: number | undefined
  readonly isStopAsked: boolean
  /** `undefined` until it ends by itself. */
  readonly report: RunEnded | undefined
  /** Its last lines: codes, or the words of a fault. */
  readonly lines: readonly (LogLine | string)[]
}

const HEAD_BYTES = 4_096
const TAIL_BYTES = 16_384
const MOST_LINES = 40
const KEPT_LOGS = 20

/**
 * Begins the log of a run, which decides that there is one: of several requests for the same
 * number, one gets it. The log is there with its head or not at all, also on a full disk.
 *
 * @param number one more than that of the last run. @returns the log, open; `undefined` where that
 *   number was another's.
 */
export function beginLog(
  folder: string,
  name: string,
  number: number,
  head: RunHead,
): number | undefined {
  ownFolderAt(folder)
  if (number !== nextNumber(folder, name)) return undefined
  const file = logFile(folder, name, number)
  const unfinished = `${file}.${randomBytes(4).toString('hex')}.part`
  const log = makeNew(unfinished)
  try {
    // Unlike `writeSync`, it goes on until all is written.
    writeFileSync(log, `${JSON.stringify(head)}\n`)
    // Unlike a renaming, it fails if the name is taken.
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  } finally {
    closeSync(log)
    rmSync(unfinished, { force: true })
  }
  for (const old of numbersOf(folder, name).slice(0, -KEPT_LOGS))
    rmSync(logFile(folder, name, old), { force: true })
  return openSync(file, 'a')
}

/** Adds a line to a log that is there. */
export function noteInLog(folder: string, name: string, number: number, what: object): void {
  const log = openSync(logFile(folder, name, number), 'a', 0o600)
  writeSync(log, `${JSON.stringify(what)}\n`)
  closeSync(log)
}

/** The number of the next run. An existing log counts by its name, even if it is empty. */
export function nextNumber(folder: string, name: string): number {
  return (numbersOf(folder, name).at(-1) ?? 0) + 1
}

export function lastRun(folder: string, name: string): Run | undefined {
  const number = numbersOf(folder, name).at(-1)
  if (number === undefined) return undefined
  const log = openOwn(logFile(folder, name, number))
  if (log === undefined) return undefined
  try {
    const { size } = fstatSync(log)
    const begin = part(log, 0, HEAD_BYTES).split('\n')
    const end = size > HEAD_BYTES ? part(log, Math.max(0, size - TAIL_BYTES), TAIL_BYTES) : ''
    const lines = size > HEAD_BYTES ? [...begin.slice(0, -1), ...end.split('\n').slice(1)] : begin
    return runOf(number, lines)
  } finally {
    closeSync(log)
  }
}

function runOf(number: number, lines: readonly string[]): Run | undefined {
  const read = lines.filter((line) => line !== '').map((line) => jsonOf(line) ?? line)
  const [head, ...notes] = read.filter((line) => typeof line === 'object')
  if (!head || !('stage' in head)) return undefined
  const noted = <T>(key: string) => notes.findLast((note) => key in note) as T | undefined
  return {
    number,
    head: head as RunHead,
    pid: noted<{ pid: number }>('pid')?.pid,
    isStopAsked: noted('stop') !== undefined,
    report: noted<RunEnded>('why'),
    lines: read.filter((line) => typeof line === 'string' || isCoded(line)).slice(-MOST_LINES),
  }
}

const isCoded = (line: object): line is LogLine => 'code' in line

const jsonOf = (line: string): object | undefined =>
  line.startsWith('{') ? objectIn(line) : undefined

function part(log: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length)
  return bytes.toString('utf8', 0, readSync(log, bytes, 0, length, from))
}

const logFile = (folder: string, name: string, number: number) =>
  join(folder, `${name}.${number}.log`)

/** The runs of a letter, from the first. */
function numbersOf(folder: string, name: string): number[] {
  return namesIn(folder)
    .flatMap((file) => {
      const [, of, number] = /^([a-z0-9-]+)\.([1-9]\d{0,8})\.log$/.exec(file) ?? []
      return of === name ? [Number(number)] : []
    })
    .sort((a, b) => a - b)
}
