import { resolveTxt } from 'node:dns/promises'
import { createReadStream, existsSync } from 'node:fs'
import { extname } from 'node:path'
import { Command, Option } from 'commander'
import * as programs from '../config/programs.ts'
import { isPackage, productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { brakes } from '../shared/held-letters.ts'
import { deliveryStatuses } from '../store/delivery-ledger.ts'
import { exportFormats, type Format, formats, tools } from '../tables/formats.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../terminal/operator-error.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { type AnnounceArguments, describeAnnounce } from './announce/announce-command.ts'
import type { SendingArguments } from './announce/sending-options.ts'
import { describeAsk } from './commands/ask-command.ts'
import { backup, describeBackup } from './commands/backup.ts'
import { checkMail, describeCheckMail } from './commands/check-mail-command.ts'
import type { EmbedArguments } from './commands/embed.ts'
import type { ExportArguments } from './commands/export.ts'
import { describeForget } from './commands/forget-many.ts'
import { describeCame, describeImport, describeSuppress } from './commands/import-command.ts'
import { addInstall } from './commands/install.ts'
import {
  describeQuarantine,
  type QuarantineArguments,
  readQuarantine,
} from './commands/quarantine-command.ts'
import { describeReferrals } from './commands/referrals-command.ts'
import { describeRestore, restore } from './commands/restore.ts'
import { TIME_RULE } from './commands/time-range.ts'
import { addUpdate } from './commands/update.ts'
import { type CommandStore, run, runWithStore, setting, settingsOf } from './run.ts'

/**
 * The commands with their options. What each does is in `commands`. Only the command that is called
 * is loaded: loading all of them takes longer than most commands run.
 */
export const program = new Command('opening-bell')
  .description(`Work with the subscribers of ${product.name}.`)
  .exitOverride()
  .showHelpAfterError('Help: add --help')
  .helpCommand(false)
  .addHelpText(
    'after',
    `${isPackage ? '\nBesides: start, build and build:firebase, which package.json calls.\n' : ''}
The tool reads DATA_DIR and LINK_KEY as the server does, and may run while the server runs.
Exit codes: 0 done, 1 failed, 2 called wrongly, 3 done but not for all, 130 stopped.`,
  )

const json = new Option('--json', 'print JSON, for programs')
const output = new Option(
  '--output <file>',
  'write to a file, which appears only when it is complete',
)
const all = new Option(
  '--all',
  'also those who unsubscribed, bounced, complained or are quarantined',
)
const whole = new Option('--all', 'also what is zero, and every row')
const matching = new Option(
  '--matching <pattern>',
  "addresses like '*@example.com'; may be repeated",
).argParser((pattern: string, before: string[] = []) => [...before, pattern])
const mailbox = new Option(
  '--mailbox <email>',
  'all addresses of its mailbox, with any dots and +tags',
)
const since = new Option('--since <time>', `only sign-ups since this time: ${TIME_RULE}`)
const until = new Option('--until <time>', 'only sign-ups before this time')
const format = new Option('--format <format>', 'the format of the file').choices(exportFormats)

program
  .command('status')
  .description(
    'show how the list grows, where visitors come from, and how far the last announcement got',
  )
  .addOption(json)
  .action((options) =>
    runWithStore({ looks: true }, async (store, out, { backups, linkKey, collecting }) => {
      const { inboxFigures } = await import('../collect/inbox-figures.ts')
      const { backupState } = await import('../store/backup-state.ts')
      const { status } = await import('./commands/status.ts')
      const { referralCounts } = await import('./commands/referrals.ts')
      const { answerCounter, countAnswers } = await import('../audience/answers.ts')
      const counter = product.question && answerCounter()
      const referrals = setting('REFERRALS') && (await referralCounts(store, linkKey, counter?.see))
      const state = await backupState(backups, new Date())
      const given = {
        ...options,
        name: product.name,
        retain: product.retain,
        ...(referrals && { referrals }),
        // The list was read for the friends already.
        ...(counter && { answers: referrals ? counter.counts() : await countAnswers(store.list) }),
        inbox: await inboxFigures(collecting, backups, new Date()),
        lastBackup: state.last,
        backups: state,
      }
      return status(store, given, out)
    }),
  )

program
  .command('collect')
  .description('take in what visitors of a page on Firebase wrote')
  .option('--take-over', 'take in with this list, in the place of another one that is lost')
  .addOption(json)
  .action((options) =>
    runWithStore({ takesIn: 'open' }, async (store, out, { collector }) => {
      const { collect } = await import('./commands/collect.ts')
      const signal = stopSignal(process, console.error)
      return collect(store.list, collector, { ...options, signal }, out)
    }),
  )

program
  .command('open [url]')
  .description(
    'turn the page from coming soon to open, with a button to url; without url, show what is set',
  )
  .option('--at <time>', 'open at this local time instead of now: 2027-01-12T09:00')
  .option(
    '--zone <name>',
    'the time zone of --at, such as Europe/Berlin; by default the zone of the product',
  )
  .addOption(new Option('--undo', 'say Coming Soon again').conflicts(['at', 'zone']))
  .addOption(json)
  .action((url: string | undefined, options) => {
    if (url !== undefined && options.undo) throw new Misuse('Name an address or --undo, not both.')
    if (url === undefined && (options.at ?? options.zone) !== undefined)
      throw new Misuse('Also name the address that the button leads to.')
    const publicUrl = setting('PUBLIC_URL') ?? undefined
    const looks = url === undefined && !options.undo
    return runWithStore({ looks }, async (store, out) => {
      const { open } = await import('./commands/open.ts')
      return open(store.opening, { ...options, url, publicUrl, product }, out)
    })
  })

program
  .command('links [place...]')
  .description('print links for the places where you post, so that status tells them apart')
  .option('--url <url>', 'the address of the page, otherwise PUBLIC_URL')
  .option('--campaign <name>', 'a name for all of them, such as launch')
  .addOption(json)
  .action((places: string[], options) =>
    run({}, async (out) => {
      const { links } = await import('./commands/links.ts')
      const url = options.url ?? setting('PUBLIC_URL') ?? ''
      return links({ ...options, url, places }, out)
    }),
  )

program
  .command('embed')
  .description('print the form for a page of another site, or check such a page')
  .option(
    '--page <url>',
    'the page where the form will stand, and where visitors come back after a sign-up',
  )
  .option('--language <code>', 'only that language')
  .option(
    '--frame',
    'for a frame, such as those of Framer and Wix: the form opens a window of its own',
  )
  .addOption(
    new Option('--check <url>', 'say what is wrong with the form on this page').conflicts([
      ...['page', 'language', 'frame'],
    ]),
  )
  .addOption(json)
  .action((options: EmbedArguments) =>
    run({}, async (out) => {
      const { languagesOf } = await import('../product/languages.ts')
      const { embed } = await import('./commands/embed.ts')
      const settings = settingsOf(programs.embedSettings)
      const given = { root: productFolder, languages: languagesOf(product), ...settings }
      return embed({ ...options, ...given }, out)
    }),
  )

program
  .command('list')
  .description('list subscribers who may be mailed, as they came on the list')
  .addOption(all)
  .addOption(matching)
  .addOption(mailbox)
  .option(
    '--answered <answer>',
    'only those who gave this answer; of a postcode, its first characters are enough',
  )
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .addOption(output)
  .action((options) =>
    runWithStore({ ...options, looks: true }, async (store, out) => {
      const { list } = await import('./commands/list.ts')
      return list(store, options, out)
    }),
  )

program
  .command('find <email>')
  .description('show everything that is known of an address')
  .addOption(json)
  .action((email, options) =>
    runWithStore({ looks: true }, async (store, out, { linkKey }) => {
      const { find } = await import('./commands/find.ts')
      return find(store, { ...options, email, linkKey }, out)
    }),
  )

program
  .command('consent <email>')
  .description('show what a subscriber agreed to, when and how, as a receipt')
  .addOption(json)
  .action((email, options) =>
    runWithStore({ looks: true }, async (store, out, { linkKey }) => {
      const { consent } = await import('./commands/consent.ts')
      return consent(store, { ...options, email, linkKey }, out)
    }),
  )

program
  .command('export')
  .description('write a file of the subscribers who may be mailed')
  .addOption(all)
  .addOption(format.default('csv'))
  .addOption(
    new Option('--for <tool>', 'write the files for this tool into the folder that --output names')
      .choices(tools)
      .conflicts(['all', 'format', 'since', 'until']),
  )
  .addOption(since)
  .addOption(until)
  .addOption(output)
  .action((options: ExportArguments) => {
    const { for: tool, output: folder, ...others } = options
    if (tool && folder === undefined)
      throw new Misuse(
        `--for ${tool} needs --output and a folder, since it writes more than one file.`,
      )
    if (tool && folder !== undefined)
      return runWithStore({ looks: true, takesIn: 'may' }, async (store, out, { dataDir }) => {
        const { exportForTool } = await import('./commands/export-for.ts')
        return exportForTool(store, { tool, folder, dataDir }, out)
      })
    return runWithStore({ ...options, looks: true, takesIn: 'may' }, async (store, out) => {
      const { exportCommand } = await import('./commands/export.ts')
      return exportCommand(store, others, out)
    })
  })

describeImport(program.command('import <file>'))
  .addOption(json)
  .action((file, options) => {
    if (options.replyColumn !== undefined && !product.question)
      throw new Misuse('The page asks no question, so nothing replies to it: docs/question.md.')
    const signal = stopSignal(process, console.error)
    return runWithStore(ofFile(file, options), async (store, out, { linkKey }) => {
      const { importList, readReply } = await import('./commands/import.ts')
      const given = { ...(await opened(file, options.format)), signal, linkKey }
      return importList(store, { ...options, ...given, readReply: readReply(product) }, out)
    })
  })

describeCame(program.command('came [file]'))
  .addOption(json)
  .addOption(whole)
  .action((file: string | undefined, options) => {
    if (file === undefined && options.dryRun)
      throw new Misuse('--dry-run needs a file of accounts.')
    const how = file === undefined ? {} : ofFile(file, options)
    return runWithStore({ ...how, looks: true }, async (store, out, { linkKey }) => {
      const { came } = await import('./commands/came.ts')
      const accounts =
        file === undefined
          ? {}
          : { accounts: { ...options, ...(await opened(file, options.format)) } }
      return came(store, { ...options, ...accounts, linkKey }, out)
    })
  })

describeReferrals(program.command('referrals'))
  .addOption(json)
  .action((options) =>
    runWithStore({ looks: options.let === undefined }, async (store, out, { linkKey }) => {
      const { referrals } = await import('./commands/referrals.ts')
      return referrals(store, { ...options, linkKey, isOn: setting('REFERRALS') }, out)
    }),
  )

program
  .command('answers')
  .description('show what people answered to the question of the page')
  .addOption(json)
  .action((options) =>
    runWithStore({ looks: true }, async (store, out) => {
      const { answers } = await import('./commands/answers.ts')
      return answers(store, options, out)
    }),
  )

program
  .command('unsubscribe <email...>')
  .description('send no more letters to these addresses, until they sign up again')
  .addOption(json)
  .action((emails, options) =>
    runWithStore({}, async (store, out) => {
      const { unsubscribe } = await import('./commands/unsubscribe.ts')
      return unsubscribe(store, { ...options, emails }, out)
    }),
  )

describeSuppress(program.command('suppress [file]'))
  .addOption(json)
  .action((file: string | undefined, { undo, ...options }) => {
    if ((file === undefined) === (undo === undefined))
      throw new Misuse('Name a file, or an address whose bounce is taken back.')
    const how = file === undefined ? { looks: true } : ofFile(file, options)
    return runWithStore(how, async (store, out, { linkKey }) => {
      const { suppress, undoBounce } = await import('./commands/suppress.ts')
      if (file === undefined) return undoBounce(store.refusals, undo, out)
      const given = await opened(file, options.format)
      return suppress(store, { ...options, ...given, linkKey }, out)
    })
  })

describeForget(program.command('forget [email]'))
  .addOption(matching)
  .addOption(mailbox)
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .action((email: string | undefined, options) => {
    const { json, ...others } = options
    if (email === undefined) {
      const signal = stopSignal(process, console.error)
      if (options.everybody)
        return runWithStore({ takesIn: 'may' }, async (store, out, opened) => {
          const { forgetEverybody, questionOnTerminal } = await import(
            './commands/forget-everybody.ts'
          )
          const given = { ...options, signal, typed: questionOnTerminal() }
          return forgetEverybody(store, { ...given, copies: await copiesOf(opened) }, out)
        })
      return runWithStore({ takesIn: 'may' }, async (store, out, opened) => {
        const { forgetMany } = await import('./commands/forget-many.ts')
        const given = { ...options, signal, copies: await copiesOf(opened) }
        return forgetMany(store, given, out)
      })
    }
    if (Object.keys(others).length > 0)
      throw new Misuse('Name one address, or describe many, but not both.')
    return runWithStore({ takesIn: 'may' }, async (store, out, opened) => {
      const { forget } = await import('./commands/forget.ts')
      const given = { json, email, copies: await copiesOf(opened) }
      return forget(store.standings, given, out)
    })
  })

describeQuarantine(program.command('quarantine [emails...]'))
  .addOption(since)
  .addOption(until)
  .addOption(json)
  .addOption(output)
  .action((named: string[], options: QuarantineArguments) => {
    const { end, emails } = readQuarantine(named, options)
    const signal = stopSignal(process, console.error)
    return runWithStore({ ...options, looks: true }, async (store, out) => {
      const { quarantine } = await import('./commands/quarantine.ts')
      if (!end) return quarantine(store, options, out)
      const { endQuarantine, endQuarantineOfMany } = await import('./commands/end-quarantine.ts')
      if (emails) return endQuarantine(store, end, { ...options, emails }, out)
      return endQuarantineOfMany(store, end, { ...options, signal }, out)
    })
  })

program
  .command('outbox')
  .description('show how many confirmation letters have yet to leave, and why')
  .addOption(
    new Option('--release <why>', 'send now the letters that wait for this reason').choices(brakes),
  )
  .addOption(json)
  .action((options) =>
    runWithStore({ looks: true }, async (store, out) => {
      const { outbox } = await import('./commands/outbox.ts')
      return outbox(store.requests, options, out)
    }),
  )

program
  .command('deliveries <announcement>')
  .description('list the recipients of an announcement with their status')
  .addOption(
    new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses),
  )
  .option(
    '--not-sent',
    'only recipients who did not get the letter, and those for whom that is uncertain',
  )
  .addOption(json)
  .addOption(output)
  .action((announcement, options) =>
    runWithStore({ ...options, looks: true }, async (store, out) => {
      const { deliveries } = await import('./commands/deliveries.ts')
      return deliveries(store.ledger, { ...options, announcement }, out)
    }),
  )

describeBackup(program.command('backup')).addOption(json).action(backup)

describeRestore(program.command('restore [file]')).addOption(json).action(restore)

describeAnnounce(program.command('announce <letter>'))
  .addOption(json)
  .addOption(output)
  .action(async (file: string, options: AnnounceArguments) => {
    const { runAnnounce } = await import('./commands/announce.ts')
    return runAnnounce(file, options)
  })

program.command('send [letter]', { hidden: true }).action(() =>
  program.error('error: there is no command "send": announce sends a letter to everyone once', {
    exitCode: exitCodes.misused,
  }),
)

program
  .command('invitations')
  .description('print the keys that your product verifies the codes of letters with')
  .option('--jwks', 'print them as a JSON Web Key Set')
  .option('--new-key', 'sign with a new key from now on, and print it beside the others')
  .addOption(output)
  .addHelpText('after', '\nHow your product verifies a code: docs/invitations.md.')
  .action(async (options) => {
    const { invitations } = await import('./commands/invitations.ts')
    return invitations(options)
  })

describeAsk(program.command('ask'))
  .addOption(json)
  .addOption(output)
  .action(async (options: SendingArguments) => {
    const { ask, previewQuestion } = await import('./commands/ask.ts')
    const { smtpMailer } = await import('../mail/smtp-mailer.ts')
    const { smtpUrl, mailFrom, publicUrl, unsubscribeUrl } = settingsOf(programs.askSettings)
    const { languagesOf } = await import('../product/languages.ts')
    const languages = languagesOf(product)
    const letter = { product, languages, mailFrom, publicUrl, unsubscribeUrl }
    const { dnsServer = resolveTxt, ...others } = options
    const mailer = smtpMailer({ url: smtpUrl })
    const given = { ...others, ...letter, mailer, resolveTxt: dnsServer }
    const signal = stopSignal(process, console.error)
    const how = { ...options, takesIn: options.preview ? undefined : ('must' as const) }
    await runWithStore(how, (store, out, { linkKey }) =>
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
  .action(async (options) => {
    const { placesOf } = await import('../notices/places.ts')
    const { notify } = await import('./commands/notify.ts')
    const settings = settingsOf(programs.notifySettings)
    return runWithStore({ mayBeScratch: true }, (store, out, { linkKey }) => {
      const places = placesOf(settings, product, linkKey)
      return notify(store.notices, { ...options, places }, out)
    })
  })

program
  .command('events')
  .description('show which events other systems have yet to receive, and how they answer')
  .option('--test', 'send one test event, and show what the receiver answers')
  .option('--pending', 'name the people whose events are waiting')
  .option('--replay', 'send all waiting events now, also the held ones')
  .addOption(json)
  .action(async ({ test, ...options }) => {
    const { events } = await import('./commands/events.ts')
    const receiver = test ? await receiverOfSettings() : undefined
    return runWithStore({ looks: !test && !options.replay }, (store, out) =>
      events(store.events, { ...options, receiver }, out),
    )
  })

describeCheckMail(program.command('check-mail')).addOption(json).action(checkMail)

program
  .command('check-site [url]')
  .description(
    'check that a page on Firebase takes sign-ups and reveals nothing; url defaults to PUBLIC_URL',
  )
  .addOption(json)
  .action((url, { json }) => {
    const { appId } = product
    const confirm = setting('CONFIRM')
    const options = { url: url ?? setting('PUBLIC_URL') ?? '', appId, confirm, json }
    return run({}, async (out) => {
      const { checkDeployedSite } = await import('./commands/check-site.ts')
      return checkDeployedSite(options, out)
    })
  })

program
  .command('desk')
  .description('print a link that opens the desk of the running site, once, within 15 minutes')
  .option('--sessions', 'list the open sessions, and the passkeys')
  .option(
    '--end [number]',
    'end the session or passkey with this number; without a number, all of them and the unused links',
  )
  .option('--keep-passkeys', 'with --end: let devices with a passkey come back')
  .addOption(json)
  .action(async (options) => {
    const { desk } = await import('./commands/desk.ts')
    const { port, publicUrl } = settingsOf(programs.addressSettings)
    const { isTTY = false } = process.stdout
    return runWithStore({ looks: true }, (store, out, { linkKey }) =>
      desk(store.desk, { ...options, port, publicUrl, isTerminal: isTTY, linkKey }, out),
    )
  })

addInstall(program.command('install'))

addUpdate(program.command('update'))

async function receiverOfSettings() {
  const { receiverAt } = await import('../events/receiver.ts')
  return receiverAt(settingsOf(programs.eventSettings))
}

/** What is known of earlier copies. */
async function copiesOf({ backups, dataDir }: CommandStore) {
  const { copiesLeft } = await import('../upkeep/back-up/copies-left.ts')
  const to = setting('BACKUP_TO') ?? undefined
  return () => copiesLeft(backups, dataDir, to, new Date())
}

/**
 * How a command that reads a file runs. A file that is missing is said before a list or a key is
 * made. @throws OperatorError
 */
function ofFile(file: string, { dryRun }: { readonly dryRun?: boolean }) {
  if (file !== '-' && !existsSync(file)) throw new OperatorError(`There is no file ${file}`)
  return { mayBeScratch: dryRun ?? false }
}

async function opened(file: string, format: Format | undefined) {
  const ending = extname(file).slice(1)
  const { standingOfFile } = await import('./commands/import.ts')
  const everybody = standingOfFile(file)
  return {
    file: file === '-' ? process.stdin : createReadStream(file),
    format: format ?? formats.find((known) => known === ending) ?? 'csv',
    ...(everybody && { everybody }),
  }
}
