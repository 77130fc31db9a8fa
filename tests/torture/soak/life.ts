import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { paths } from '../../../src/shared/api.ts'
import { startDns } from '../../fixtures/dns.ts'
import { ownPort } from '../../fixtures/own-port.ts'
import { ended, run } from '../../fixtures/run.ts'
import { copyOfServer } from '../../fixtures/server-copy.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { buildDisk } from '../disk/preload.ts'
import { chance } from '../form.ts'
import { weekClock } from './day.ts'
import { type HouseOptions, house } from './house.ts'
import { letter, postOffice } from './mail.ts'
import type { Memory } from './memory.ts'
import { everybody } from './people.ts'
import { type Visitors, visitors } from './visitors.ts'

const operator = join(import.meta.dirname, '../../../src/cli/main.ts')

const records = {
  'example.org': ['v=spf1 include:relay.example -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
}

export type Life = Awaited<ReturnType<typeof beginLife>>

export interface LifeOptions {
  readonly seed: number
  readonly days: number
  /** How many of them its first server lives. */
  readonly calmDays: number
  readonly dayMs: number
  /** How many sign up in a second, on a day's mean. */
  readonly aSecond: number
}

type Five = [string, string, string, string, string]

/** A product before its opening: server, list, mail server, DNS server, visitors, operator. */
export async function beginLife({ seed, days, calmDays, dayMs, aSecond }: LifeOptions) {
  const random = chance(seed)
  const people = everybody()
  const counts = new Map<string, number>()
  const [home, copies, trouble, desk, compiled] = Array.from({ length: 5 }, tempDir) as Five
  const folder = join(home, 'site')
  mkdirSync(folder)
  let coming: Visitors | undefined
  const mail = await postOffice(people, (...answer) => coming?.answers(...answer))
  const dns = await startDns(records)
  const port = ownPort
  const publicUrl = `http://127.0.0.1:${port}`
  const server = house({
    folder,
    port,
    root: copyOfServer(),
    env: {
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '100',
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: publicUrl,
      ...diskOf(join(folder, 'data'), trouble),
      NODE_COMPILE_CACHE: compiled,
    },
  })
  onTestFinished(() => server.end())
  await server.begin()
  const clock = weekClock(dayMs)
  let isAsking = false
  const launch = join(desk, 'launch.md')
  writeFileSync(launch, letter)
  coming = visitors({
    house: server,
    people,
    random: chance(seed + 1),
    clock,
    aSecond,
    isAsking: () => isAsking,
  })
  onTestFinished(coming.stop)

  const env = {
    DATA_DIR: server.dataDir,
    LINK_KEY: '',
    NO_COLOR: '1',
    MAIL_FROM: '',
    SMTP_URL: mail.url,
    PUBLIC_URL: publicUrl,
    UNSUBSCRIBE_URL: publicUrl + paths.unsubscribe,
    BACKUP_TO: copies,
    NODE_COMPILE_CACHE: compiled,
  }
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(process.cwd(), [process.execPath, operator, ...args], { ...env, ...more })

  return {
    house: server,
    people,
    mail,
    visitors: coming,
    clock,
    random,
    days,
    copies,
    trouble,
    publicUrl,
    /** What `announce` is given, wherever it begins. */
    announce: ['announce', launch, '--rate', '1000', '--dns-server', dns.server] as const,
    /** Starts a command of the operator's as a process of its own. */
    start,
    /** Runs one to its end. @returns what it printed. @throws unless it ends with one of these codes. */
    async command(args: readonly string[], more?: Readonly<Record<string, string>>, codes = [0]) {
      const { code, stdout, stderr } = await ended(start(args, more))
      expect(codes, `${args.join(' ')}\n${stderr}`).toContain(code)
      return stdout + stderr
    },
    /** From now on who signs up has to confirm it. */
    asks() {
      isAsking = true
      server.change({
        root: copyOfServer({ confirm: true }),
        env: { CONFIRM: 'on', SMTP_URL: mail.url, MAIL_FROM: 'hello@example.org' },
      })
    },
    isAsking: () => isAsking,
    hasDisk: 'LD_PRELOAD' in diskOf('', ''),
    memory: [] as Memory[],
    /** How often what happened, by what it is. */
    counts,
    count(what: string) {
      counts.set(what, (counts.get(what) ?? 0) + 1)
    },
    /** Whether the first server has to live on. */
    isCalm: () => clock.now() < calmDays || counts.get('memory') !== 2,
  }
}

let disk: ReturnType<typeof buildDisk> | undefined

/** Where no compiler is, the disk is never full. */
function diskOf(dataDir: string, trouble: string): HouseOptions['env'] {
  disk ??= buildDisk()
  if ('missing' in disk) return {}
  return { LD_PRELOAD: disk.library, DISK_FOLDER: dataDir, DISK_TROUBLE: trouble }
}
