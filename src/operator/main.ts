import { randomUUID } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import { createReadStream, existsSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { Command, CommanderError, Option } from 'commander'
import product from '../../product.config.ts'
import { readMailSettings } from '../config/mail-settings.ts'
import { readSettings } from '../config/operator-settings.ts'
import { keptLinkKey } from '../keys/link-key.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { findProductMistakes } from '../shared/product.ts'
import { site } from '../site/site.ts'
import type { Backups } from '../store/backups.ts'
import { deliveryStatuses } from '../store/delivery-ledger.ts'
import { openStore } from '../store/open-store.ts'
import { ownFolder } from '../store/own-folder.ts'
import type { Copies } from '../store/sqlite/copies.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { announceLetter } from './announce/announce.ts'
import { type AnnounceArguments, describeAnnounce } from './announce/announce-command.ts'
import { readLetterFile } from './announce/letter-file.ts'
import { thisMachine } from './announce/machine.ts'
import { preview } from './announce/preview.ts'
import { backup, restore } from './commands/backup.ts'
import { checkDeployedSite } from './commands/check-site.ts'
import { deliveries } from './commands/deliveries.ts'
import { exportList } from './commands/export.ts'
import { find } from './commands/find.ts'
import { forget } from './commands/forget.ts'
import { describeForget } from './commands/forget-command.ts'
import { forgetMany } from './commands/forget-many.ts'
import { importList, standingOfFile } from './commands/import.ts'
import { describeImport, describeSuppress } from './commands/import-command.ts'
import { list } from './commands/list.ts'
import { status } from './commands/status.ts'
import { suppress } from './commands/suppress.ts'
import { TIME_RULE } from './commands/time-range.ts'
import { unsubscribe } from './commands/unsubscribe.ts'
import { type Format, formats } from './tables/formats.ts'
import { exitCodes, type Out, Trouble } from './terminal/out.ts'
import { stopSignal } from './terminal/stop-signal.ts'
import { printable } from './terminal/style.ts'
import { terminal } from './terminal/terminal.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Opened {
  readonly linkKey: Buffer
  readonly copies: Copies
  readonly backups: Backups | undefined
}

/** Runs a command on the store of the settings, and ends the process with its exit code. */
async function run(
  options: { output?: string },
  command: (store: Store, out: Out, opened: Opened) => Promise<number>,
): Promise<void> {
  const settings = readSettings(process.env, ROOT)
  const { kind, dataDir, projectId } = settings
  if (kind === 'sqlite' && !existsSync(dataDir))
    throw new Trouble(`DATA_DIR: there is no folder ${dataDir}`)
  if (kind === 'sqlite') ownDataFolder(dataDir)
  const linkKey = settings.linkKey ?? keptLinkKey(dataDir)
  const { appId } = product
  const { store, copies, backups } = await openStore({
    ...{ kind, dataDir, projectId, appId, linkKey },
    log: () => {},
  })
  try {
    await speak(options, (out) => command(store, out, { linkKey, copies, backups }))
  } finally {
    await store.close()
  }
}

function ownDataFolder(dataDir: string) {
  try {
    ownFolder(
      dataDir,
      site.built.map((folder) => join(ROOT, folder)),
    )
  } catch (cause) {
    throw new Trouble(`DATA_DIR: cannot be used: ${(cause as Error).message}`)
  }
}

/** Where the list and the keys are, or will be. */
const dataFolder = () => resolve(ROOT, process.env.DATA_DIR?.trim() || 'data')

/** Runs what needs no store. */
async function speak(
  { output }: { output?: string },
  command: (out: Out) => Promise<number>,
): Promise<void> {
  const color = !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  const { out, keep, discard } = terminal(process, { output, dataDir: dataFolder(), color })
  try {
    process.exitCode = await command(out)
    await keep()
  } catch (error) {
    await discard()
    throw error
  }
}

const program = new Command('opening-bell')
  .description(`Work with the subscribers of ${product.name}.`)
  .exitOverride()
  .showHelpAfterError('Help: add --help')
  .helpCommand(false)
  .addHelpText(
    'after',
    `
It reads STORE, DATA_DIR and LINK_KEY as the server does, and works beside a running one.
Exit codes: 0 done, 1 failed, 2 called wrongly, 3 done but not for all, 130 stopped.`,
  )

const json = new Option('--json', 'print JSON, for programs')
const output = new Option('--output <file>', 'write to a file instead, whole or not at all')
const all = new Option('--all', 'those as well who left, and why')
const since = new Option('--since <time>', `only who signed up from then on: ${TIME_RULE}`)
const until = new Option('--until <time>', 'only who signed up before then')
const format = new Option('--format <format>', 'how to write it').choices(formats)

program
  .command('status')
  .description('how the list grows, and how the last announcement stands')
  .addOption(json)
  .action((options) =>
    run({}, async (store, out, { backups }) =>
      status(store, { ...options, name: product.name, lastBackup: await backups?.last() }, out),
    ),
  )

program
  .command('list')
  .description('who may be written to, in order of sign-up')
  .addOption(all)
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .addOption(output)
  .action((options) => run(options, (store, out) => list(store, options, out)))

program
  .command('find <email>')
  .description('all that is known of an address')
  .addOption(json)
  .action((email, options) => run({}, (store, out) => find(store, { ...options, email }, out)))

program
  .command('export')
  .description('who may be written to, as a file')
  .addOption(all)
  .addOption(format.default('csv'))
  .addOption(since)
  .addOption(until)
  .addOption(output)
  .action((options) => run(options, (store, out) => exportList(store, options, out)))

describeImport(program.command('import <file>'))
  .addOption(json)
  .action((file, options) =>
    run({}, (store, out) =>
      importList(store, { ...options, ...opened(file, options.format) }, out),
    ),
  )

program
  .command('unsubscribe <email...>')
  .description('write to these addresses no more, until they sign up again')
  .addOption(json)
  .action((emails, options) =>
    run({}, (store, out) => unsubscribe(store, { ...options, emails }, out)),
  )

describeSuppress(program.command('suppress <file>'))
  .addOption(json)
  .action((file, options) =>
    run({}, (store, out, { linkKey }) =>
      suppress(store, { ...options, ...opened(file, options.format), linkKey }, out),
    ),
  )

describeForget(program.command('forget [email]'))
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .action((email: string | undefined, options) => {
    const { json, ...others } = options
    if (email === undefined) {
      const signal = stopSignal(process, console.error)
      return run({}, (store, out) => forgetMany(store, { ...options, signal }, out))
    }
    if (Object.keys(others).length > 0)
      throw new Trouble('Name one address, or describe many, but not both.')
    return run({}, (store, out) => forget(store, { json, email }, out))
  })

program
  .command('deliveries <announcement>')
  .description('who is where in an announcement')
  .addOption(new Option('--status <status>', 'only those').choices(deliveryStatuses))
  .option('--not-sent', 'only who does not have the letter for sure')
  .addOption(json)
  .addOption(output)
  .action((announcement, options) =>
    run(options, (store, out) => deliveries(store, { ...options, announcement }, out)),
  )

program
  .command('backup')
  .description('a copy of everything, beside the running server')
  .requiredOption('--output <file>', 'where to')
  .addOption(json)
  .action(({ output: file, json }) =>
    run({}, (_store, out, { backups }) => backup(theirs(backups), { file, json }, out)),
  )

program
  .command('restore <file>')
  .description('bring back what a copy has and the store has not')
  .option('--check', 'only read the copy through')
  .addOption(json)
  .action((file, options) =>
    run({}, (_store, out, { copies }) => restore(copies, { ...options, file }, out)),
  )

describeAnnounce(program.command('announce <letter>'))
  .addOption(json)
  .addOption(output)
  .action(async (file: string, options: AnnounceArguments) => {
    const letterFile = await readLetterFile(file, process.env.MAIL_FROM ?? '', product, ROOT)
    if (options.preview) return speak(options, (out) => preview(letterFile, product, out))
    const { smtpUrl, unsubscribeUrl } = readMailSettings(process.env)
    const mailer = smtpMailer({ url: smtpUrl })
    const { dnsServer = resolveTxt, ...others } = options
    const given = { ...others, letterFile, product, unsubscribeUrl, mailer, resolveTxt: dnsServer }
    const holder = { owner: randomUUID(), host: thisMachine(), pid: process.pid }
    const signal = stopSignal(process, console.error)
    await run(options, (store, out, { linkKey }) =>
      announceLetter(store, { ...given, holder, signal, linkKey }, out),
    ).finally(mailer.close)
  })

program
  .command('check-site [url]')
  .description('whether a page on Firebase takes sign-ups and gives none away; else PUBLIC_URL')
  .addOption(json)
  .action((url, { json }) => {
    const { appId } = product
    const options = { url: url ?? process.env.PUBLIC_URL ?? '', appId, json }
    return speak({}, (out) => checkDeployedSite(options, out))
  })

function theirs(backups: Backups | undefined): Backups {
  if (backups) return backups
  throw new Trouble('Firestore has back-ups of its own: see docs/firebase.md.')
}

function opened(file: string, format: Format | undefined) {
  if (file !== '-' && !existsSync(file)) throw new Trouble(`There is no file ${file}`)
  const ending = extname(file).slice(1)
  const everybody = standingOfFile(file)
  return {
    file: file === '-' ? process.stdin : createReadStream(file),
    format: format ?? formats.find((known) => known === ending) ?? 'csv',
    ...(everybody && { everybody }),
  }
}

// Whoever reads our output may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

try {
  const mistakes = findProductMistakes({ ...product })
  if (mistakes.length > 0)
    throw new Trouble(mistakes.map((mistake) => `product.config.ts: ${mistake}`).join('\n'))
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.misused
  } else if (error instanceof Trouble || error instanceof StoreUnavailable) {
    console.error(printable(error.message))
    process.exitCode = exitCodes.failed
  } else {
    console.error(printable(inspect(error)))
    process.exitCode = exitCodes.failed
  }
}

// A mail server that hands a message over would send any other code back to whoever wrote it, which
// may be anybody. This one it keeps, and tries again.
const isMailAlias = process.argv[2] === 'suppress' && process.argv.includes('-')
const isDone = [undefined, exitCodes.done, exitCodes.partly].some((one) => one === process.exitCode)
if (isMailAlias && !isDone) process.exitCode = exitCodes.tryAgain

// Everything is written and closed. A store's library may go on trying for minutes what nobody waits
// for any more, also when the store has long been back.
process.stdout.write('', () => process.exit())
