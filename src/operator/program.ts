import { spawnSync } from 'node:child_process'
import { resolveTxt } from 'node:dns/promises'
import { createReadStream, existsSync, realpathSync } from 'node:fs'
import { extname } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readBackupSettings } from '../config/backup-settings.ts'
import { readAskSettings } from '../config/confirmation-settings.ts'
import { readMailSettings } from '../config/mail-settings.ts'
import { readNotifySettings } from '../config/notify-settings.ts'
import { readSiteAddress } from '../config/server-settings.ts'
import { smtpMailer } from '../mail/smtp-mailer.ts'
import { placesOf } from '../outbox/notices/places.ts'
import { codeFolder, isPackage, productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { brakes } from '../shared/held-letters.ts'
import { parsePublicUrl } from '../shared/public-url.ts'
import { backupState } from '../store/backup-state.ts'
import { deliveryStatuses } from '../store/delivery-ledger.ts'
import { announceLetter } from './announce/announce.ts'
import { type AnnounceArguments, describeAnnounce } from './announce/announce-command.ts'
import { newHolder } from './announce/dead-run.ts'
import { readLetterFile } from './announce/letter-file.ts'
import { preview } from './announce/preview.ts'
import type { SendingArguments } from './announce/sending-options.ts'
import { ask, previewQuestion } from './ask/ask.ts'
import { describeAsk } from './ask/ask-command.ts'
import { type BackupArguments, describeBackup } from './back-up/backup-command.ts'
import { copiesLeft } from './back-up/copies-left.ts'
import { describeRestore, type RestoreArguments } from './back-up/restore-command.ts'
import { checkDeployedSite } from './commands/check-site.ts'
import { consent } from './commands/consent.ts'
import { deliveries } from './commands/deliveries.ts'
import { endQuarantine, endQuarantineOfMany } from './commands/end-quarantine.ts'
import { exportList } from './commands/export.ts'
import { find } from './commands/find.ts'
import { forget } from './commands/forget.ts'
import { describeForget } from './commands/forget-command.ts'
import { forgetMany } from './commands/forget-many.ts'
import { importList, standingOfFile } from './commands/import.ts'
import { describeImport, describeSuppress } from './commands/import-command.ts'
import { links } from './commands/links.ts'
import { list } from './commands/list.ts'
import { notify } from './commands/notify.ts'
import { open } from './commands/open.ts'
import { outbox } from './commands/outbox.ts'
import { quarantine } from './commands/quarantine.ts'
import {
  describeQuarantine,
  type QuarantineArguments,
  readQuarantine,
} from './commands/quarantine-command.ts'
import { status } from './commands/status.ts'
import { suppress } from './commands/suppress.ts'
import { TIME_RULE } from './commands/time-range.ts'
import { unsubscribe } from './commands/unsubscribe.ts'
import { desk } from './desk/desk-command.ts'
import { findings } from './install/findings.ts'
import { install, type Machine } from './install/install.ts'
import {
  describeInvitations,
  type InvitationsArguments,
} from './invitations/invitations-command.ts'
import { type CommandStore, orOperatorError, run, runWithStore } from './run.ts'
import { runBackup } from './run-backup.ts'
import { runInvitations } from './run-invitations.ts'
import { runRestore } from './run-restore.ts'
import { runUpdate, type UpdateArguments } from './run-update.ts'
import { type Format, formats } from './tables/formats.ts'
import { OperatorError } from './terminal/operator-error.ts'
import { stopSignal } from './terminal/stop-signal.ts'

/** The commands with their options. What each does is in `commands` and `announce`. */
export const program = new Command('opening-bell')
  .description(`Work with the subscribers of ${product.name}.`)
  .exitOverride()
  .showHelpAfterError('Help: add --help')
  .helpCommand(false)
  .addHelpText(
    'after',
    `${isPackage ? '\nBesides: start, build and build:firebase, which package.json calls.\n' : ''}
It reads STORE, DATA_DIR and LINK_KEY as the server does, and works beside a running one.
Exit codes: 0 done, 1 failed, 2 called wrongly, 3 done but not for all, 130 stopped.`,
  )

const json = new Option('--json', 'print JSON, for programs')
const output = new Option(
  '--output <file>',
  'write to a file, which appears only when it is complete',
)
const all = new Option('--all', 'include who unsubscribed, bounced, complained or is quarantined')
const since = new Option('--since <time>', `only sign-ups from then on: ${TIME_RULE}`)
const until = new Option('--until <time>', 'only sign-ups before then')
const format = new Option('--format <format>', 'the format of the file').choices(formats)

program
  .command('status')
  .description('show how the list grows, visits and sources, and the last announcement')
  .addOption(json)
  .action((options) =>
    runWithStore({}, async (store, out, { backups }) =>
      status(
        store,
        {
          ...options,
          name: product.name,
          lastBackup: await backups?.last(),
          backups: backups && (await backupState(backups, new Date())),
        },
        out,
      ),
    ),
  )

program
  .command('open [url]')
  .description('turn the page from coming soon to open, or show what is set')
  .option('--at <time>', 'not now but then, as a clock on the wall shows it: 2027-01-12T09:00')
  .option('--zone <name>', 'the time zone of that, such as Europe/Berlin')
  .addOption(new Option('--undo', 'say Coming Soon again').conflicts(['at', 'zone']))
  .addOption(json)
  .action((url: string | undefined, options) => {
    if (url !== undefined && options.undo)
      throw new OperatorError('Name where it leads, or undo it, but not both.')
    if (url === undefined && (options.at ?? options.zone) !== undefined)
      throw new OperatorError('Name where its button leads as well.')
    const publicUrl = parsePublicUrl(process.env.PUBLIC_URL?.trim() ?? '') ?? undefined
    return runWithStore({}, (store, out) =>
      open(store, { ...options, url, publicUrl, product }, out),
    )
  })

program
  .command('links [place...]')
  .description('print links for the places where you post, so that status tells them apart')
  .option('--url <url>', 'the address of the page, otherwise PUBLIC_URL')
  .option('--campaign <name>', 'a name for all of them, such as launch')
  .addOption(json)
  .action((places: string[], options) =>
    run({}, (out) => links({ url: process.env.PUBLIC_URL ?? '', ...options, places }, out)),
  )

program
  .command('list')
  .description('list subscribers who may be mailed, in order of sign-up')
  .addOption(all)
  .option('--unreadable', 'name the rows instead that no store of ours has written')
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .addOption(output)
  .action((options) => runWithStore(options, (store, out) => list(store, options, out)))

program
  .command('find <email>')
  .description('show everything that is known of an address')
  .addOption(json)
  .action((email, options) =>
    runWithStore({}, (store, out, { linkKey }) => find(store, { ...options, email, linkKey }, out)),
  )

program
  .command('consent <email>')
  .description('what somebody agreed to, when and how, as a receipt')
  .addOption(json)
  .action((email, options) =>
    runWithStore({}, (store, out, { linkKey }) =>
      consent(store, { ...options, email, linkKey }, out),
    ),
  )

program
  .command('export')
  .description('write subscribers who may be mailed to a file')
  .addOption(all)
  .addOption(format.default('csv'))
  .addOption(since)
  .addOption(until)
  .addOption(output)
  .action((options) => runWithStore(options, (store, out) => exportList(store, options, out)))

describeImport(program.command('import <file>'))
  .addOption(json)
  .action((file, options) =>
    runWithStore({}, (store, out, { linkKey }) =>
      importList(store, { ...options, ...opened(file, options.format), linkKey }, out),
    ),
  )

program
  .command('unsubscribe <email...>')
  .description('send no more letters to these addresses, until they sign up again')
  .addOption(json)
  .action((emails, options) =>
    runWithStore({}, (store, out) => unsubscribe(store, { ...options, emails }, out)),
  )

describeSuppress(program.command('suppress <file>'))
  .addOption(json)
  .action((file, options) =>
    runWithStore({}, (store, out, { linkKey }) =>
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
      return runWithStore({}, (store, out, opened) =>
        forgetMany(store, { ...options, signal, copies: copiesOf(opened) }, out),
      )
    }
    if (Object.keys(others).length > 0)
      throw new OperatorError('Name one address, or describe many, but not both.')
    return runWithStore({}, (store, out, opened) =>
      forget(store, { json, email, copies: copiesOf(opened) }, out),
    )
  })

describeQuarantine(program.command('quarantine [emails...]'))
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .addOption(output)
  .action((named: string[], options: QuarantineArguments) => {
    const { end, emails } = readQuarantine(named, options)
    const signal = stopSignal(process, console.error)
    return runWithStore(options, (store, out) => {
      if (!end) return quarantine(store, options, out)
      if (emails) return endQuarantine(store, end, { ...options, emails }, out)
      return endQuarantineOfMany(store, end, { ...options, signal }, out)
    })
  })

program
  .command('outbox')
  .description('show which confirmation letters have yet to leave, and why some of them wait')
  .addOption(new Option('--release <why>', 'send those now that wait for it').choices(brakes))
  .addOption(json)
  .action((options) => runWithStore({}, (store, out) => outbox(store, options, out)))

program
  .command('deliveries <announcement>')
  .description('list the recipients of an announcement with their status')
  .addOption(
    new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses),
  )
  .option('--not-sent', 'only recipients who may not have the letter')
  .addOption(json)
  .addOption(output)
  .action((announcement, options) =>
    runWithStore(options, (store, out) => deliveries(store, { ...options, announcement }, out)),
  )

describeBackup(program.command('backup'))
  .addOption(json)
  .action((options: BackupArguments, command: Command) => {
    const { output: file, keep, rehearse: isRehearsal } = options
    if ([file, keep, isRehearsal].filter((one) => one !== undefined).length !== 1)
      command.error('error: name one of --output, --keep and --rehearse', { exitCode: 2 })
    return runBackup(options)
  })

describeRestore(program.command('restore [file]'))
  .addOption(json)
  .action((file: string | undefined, options: RestoreArguments) => runRestore(file, options))

describeAnnounce(program.command('announce <letter>'))
  .addOption(json)
  .addOption(output)
  .action(async (file: string, options: AnnounceArguments) => {
    const letterFile = await readLetterFile(
      file,
      process.env.MAIL_FROM ?? '',
      product,
      productFolder,
    )
    if (options.preview) return run(options, (out) => preview(letterFile, product, out))
    const { smtpUrl, unsubscribeUrl } = orOperatorError(readMailSettings(process.env))
    const mailer = smtpMailer({ url: smtpUrl })
    const { dnsServer = resolveTxt, ...others } = options
    const publicUrl = parsePublicUrl(process.env.PUBLIC_URL?.trim() ?? '') ?? undefined
    const where = { unsubscribeUrl, publicUrl }
    const given = { ...others, letterFile, product, ...where, mailer, resolveTxt: dnsServer }
    const holder = newHolder()
    const signal = stopSignal(process, console.error)
    await runWithStore(options, (store, out, { linkKey, signing }) =>
      announceLetter(store, { ...given, holder, signal, linkKey, signing }, out),
    ).finally(mailer.close)
  })

describeInvitations(program.command('invitations [announcement]'))
  .addOption(json)
  .addOption(output)
  .action((announcement: string | undefined, options: InvitationsArguments) =>
    runInvitations(announcement, options),
  )

describeAsk(program.command('ask'))
  .addOption(json)
  .addOption(output)
  .action(async (options: SendingArguments) => {
    const { smtpUrl, mailFrom, publicUrl } = orOperatorError(readAskSettings(process.env))
    const { unsubscribeUrl } = orOperatorError(readMailSettings(process.env))
    const letter = { product, mailFrom, publicUrl, unsubscribeUrl }
    const { dnsServer = resolveTxt, ...others } = options
    const mailer = smtpMailer({ url: smtpUrl })
    const given = { ...others, ...letter, mailer, resolveTxt: dnsServer, holder: newHolder() }
    const signal = stopSignal(process, console.error)
    await runWithStore(options, (store, out, { linkKey }) =>
      options.preview
        ? previewQuestion({ ...letter, linkKey }, out)
        : ask(store, { ...given, signal, linkKey }, out),
    ).finally(mailer.close)
  })

program
  .command('notify')
  .description('show where you are told of sign-ups and alarms, and what has yet to arrive there')
  .option('--test', 'send one test message to each place, and show what it answers')
  .addOption(json)
  .action((options) => {
    const settings = orOperatorError(readNotifySettings(process.env))
    return runWithStore({}, (store, out, { linkKey }) => {
      const places = placesOf(settings, product, linkKey)
      return notify(store, { ...options, places }, out)
    })
  })

program
  .command('check-site [url]')
  .description(
    'check that a page on Firebase takes sign-ups and reveals nothing; url defaults to PUBLIC_URL',
  )
  .addOption(json)
  .action((url, { json }) => {
    const { appId } = product
    const confirm = process.env.CONFIRM?.trim() === 'on'
    const options = { url: url ?? process.env.PUBLIC_URL ?? '', appId, confirm, json }
    return run({}, (out) => checkDeployedSite(options, out))
  })

program
  .command('desk')
  .description('print a link that opens your page of the running site, once, for 15 minutes')
  .option('--sessions', 'list who is in, and the passkeys of devices that may come back')
  .option('--end [number]', 'end one of them, or all of them with every open link and passkey')
  .option('--keep-passkeys', 'with --end: let devices with a passkey come back')
  .addOption(json)
  .action((options) => {
    const { port, publicUrl } = orOperatorError(readSiteAddress(process.env))
    const { isTTY = false } = process.stdout
    return runWithStore({}, (store, out, { linkKey }) =>
      desk(store, { ...options, port, publicUrl, isTerminal: isTTY, linkKey }, out),
    )
  })

program
  .command('install')
  .description('run the server as a service of this machine, see docs/deploy.md')
  .requiredOption('--systemd', 'as a unit of systemd')
  .option('--yes', 'do it; without this it is only shown')
  .option('--replace', 'also replace files that were changed since, or are of another version')
  .option('--print', 'print the units, and do nothing')
  .action((options) => run({}, (out) => install(options, thisSystem(), out)))

program
  .command('update')
  .description('bring this installation to the newest version, and go back if it is not ready')
  .option('--check', 'only say what would change')
  .option('--yes', 'ask nothing')
  .option('--from <branch>', 'such as upstream/main; otherwise the one that this checkout follows')
  .option('--to <commit>', 'a commit of it, in full; otherwise the newest one')
  .option('--signed <file>', 'only a commit that is signed by one of the public keys in this file')
  .option('--stop <command>', 'what stops the server, where systemd does not run it')
  .option('--start <command>', 'what starts it')
  .addOption(
    new Option(
      '--ready-within <seconds>',
      'how long the new version may take until it is ready, otherwise a minute',
    ).argParser(seconds),
  )
  .option(
    '--between-waves',
    'although the next wave of an announcement is due: nobody waits for it or starts it meanwhile',
  )
  .option('--in <folder>', 'update another installation than this one')
  .addHelpText(
    'after',
    '\nThe same again goes on with an update that was interrupted. docs/updating.md has all of it.',
  )
  .action((options: UpdateArguments) => runUpdate(options))

function seconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('a whole number of seconds')
}

function thisSystem(): Machine {
  const place = {
    root: realpathSync(productFolder),
    node: realpathSync(process.execPath),
    ...(isPackage && { code: realpathSync(codeFolder) }),
  }
  return {
    ...place,
    prefix: '',
    problems: findings(place),
    isRoot: process.geteuid?.() === 0,
    run: ([program, ...args]) => spawnSync(program, args, { stdio: 'inherit' }).status === 0,
  }
}

/** What is known of copies from before; nothing where the store's own keeper makes them. */
function copiesOf({ backups, dataDir }: CommandStore) {
  if (!backups) return undefined
  const { to } = orOperatorError(readBackupSettings(process.env, productFolder))
  return () => copiesLeft(backups, { dataDir, also: to }, new Date())
}

function opened(file: string, format: Format | undefined) {
  if (file !== '-' && !existsSync(file)) throw new OperatorError(`There is no file ${file}`)
  const ending = extname(file).slice(1)
  const everybody = standingOfFile(file)
  return {
    file: file === '-' ? process.stdin : createReadStream(file),
    format: format ?? formats.find((known) => known === ending) ?? 'csv',
    ...(everybody && { everybody }),
  }
}
