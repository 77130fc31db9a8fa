import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type RunningSite = Awaited<ReturnType<typeof startSite>>

interface SiteOptions {
  /** The folder that has the server's source and the build. */
  readonly root?: string
  readonly env?: Readonly<Record<string, string>>
  /** A command that the server is run by, such as one that takes rights away. */
  readonly by?: readonly string[]
  /** An empty folder for its data; else one is made, and removed at the end. */
  readonly folder?: string
}

/** Starts the real server as a process of its own, on a free port, with a data folder of its own. */
export async function startSite({
  root = join(import.meta.dirname, '..'),
  env = {},
  by = [],
  ...given
}: SiteOptions = {}) {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'opening-bell-site-')))
  const dataDir = join(folder, 'data')
  const databaseFile = join(dataDir, 'subscribers.sqlite')
  let log = ''
  let server = await listen('0')

  async function listen(port: string) {
    const [command = '', ...args] = [...by, process.execPath, join(root, 'src/server/main.ts')]
    const child = spawn(command, args, {
      env: {
        ...process.env,
        RATE_LIMIT: '0',
        LOG_LEVEL: 'debug',
        ...env,
        PORT: port,
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        const url = /open at (\S+)/.exec(`${text}`)?.[1]
        if (url) resolve(url)
      })
      child.stderr.on('data', (text) => {
        log += text
      })
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${log}`)))
    })
    return { child, url }
  }

  function query(sql: string) {
    const db = new DatabaseSync(databaseFile, { readOnly: true })
    const rows = db.prepare(sql).all()
    db.close()
    return rows.map(({ value }) => String(value))
  }

  return {
    /** Where it is open. */
    get url() {
      return server.url
    },
    dataDir,
    databaseFile,
    pid: () => server.child.pid,

    /** Everything that the server has logged so far, also before a restart. */
    log: () => log,

    /** The power cord: nothing is finished, nothing is put away. */
    kill: () => end(server.child, 'SIGKILL'),

    /** The server takes connections and answers nothing, until `resume`. */
    pause: () => server.child.kill('SIGSTOP'),
    resume: () => server.child.kill('SIGCONT'),

    /** Starts it again after a `kill`, with the same data, and unless told otherwise at the same address. */
    async restart(port = new URL(server.url).port) {
      server = await listen(port)
    },

    /** Takes the data folder away under the running server, until `returnData`. */
    removeData: () => rename(dataDir, `${dataDir}.away`),
    returnData: () => rename(`${dataDir}.away`, dataDir),

    /** Holds the database as another program that writes to it would. @returns lets it go. */
    lockDatabase() {
      const db = new DatabaseSync(databaseFile, { timeout: 10_000 })
      db.exec('BEGIN IMMEDIATE')
      return () => db.close()
    },

    /** The addresses in the file, in the order in which they came. */
    subscribers: () => query('SELECT email AS value FROM subscribers'),

    /** The collections that hold them. */
    collections: () => query('SELECT DISTINCT collection AS value FROM documents'),

    async stop() {
      await end(server.child, 'SIGTERM')
      await rm(folder, { recursive: true })
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  // A process that stands still hears nothing but SIGKILL.
  child.kill('SIGCONT')
  await ended
}
