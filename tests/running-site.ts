import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Program, startProgram } from '../scripts/program.ts'

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
  const starts: Program[] = []
  let url = await start('0')

  async function start(port: string) {
    const settings = { ...env, PORT: port, HOST: '127.0.0.1', DATA_DIR: dataDir }
    const [command = '', ...args] = [...by, process.execPath, join(root, 'src/server/main.ts')]
    const server = startProgram(command, args, {
      env: { ...process.env, RATE_LIMIT: '0', LOG_LEVEL: 'debug', ...settings },
    })
    starts.push(server)
    return String((await server.printed(/open at (\S+)/))[1])
  }

  const server = () => starts.at(-1) as Program

  function query(sql: string) {
    const db = new DatabaseSync(databaseFile, { readOnly: true })
    const rows = db.prepare(sql).all()
    db.close()
    return rows.map(({ value }) => String(value))
  }

  return {
    /** Where it is open. */
    get url() {
      return url
    },
    dataDir,
    databaseFile,
    pid: () => server().pid,

    /** Everything that the server has logged so far, also before a restart. */
    log: () => starts.map((server) => server.output('stderr')).join(''),

    /** The power cord: nothing is finished, nothing is put away. */
    async kill() {
      await server().end('SIGKILL')
    },

    /** The server takes connections and answers nothing, until `resume`. */
    pause: () => server().pause(),
    resume: () => server().resume(),

    /** Starts it again after a `kill`, with the same data, and unless told otherwise at the same address. */
    async restart(port = new URL(url).port) {
      url = await start(port)
    },

    /** Takes the data folder away under the running server, until `returnData`. */
    removeData: () => rename(dataDir, `${dataDir}.away`),
    returnData: () => rename(`${dataDir}.away`, dataDir),

    /** Holds the database as another program that writes to it would. @returns lets it go. */
    lockDatabase() {
      const db = new DatabaseSync(databaseFile, { timeout: 10_000 })
      db.exec('BEGIN IMMEDIATE')
      return () => db.isOpen && db.close()
    },

    /** The addresses in the file, in the order in which they came. */
    subscribers: () => query('SELECT email AS value FROM subscribers'),

    /** The collections that hold them. */
    collections: () => query('SELECT DISTINCT collection AS value FROM documents'),

    async stop() {
      await server().end()
      await rm(folder, { recursive: true })
    },
  }
}
