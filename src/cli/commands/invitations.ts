import { type Command, Option } from 'commander'
import { signing, signingAnew } from '../../announcement/invitations/signing.ts'
import { noteCame } from '../../audience/note-came.ts'
import { addressIds } from '../../keys/address-id.ts'
import { type InvitationState, invitationStates } from '../../store/invitations.ts'
import { askSecret } from '../../terminal/ask-secret.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../../terminal/operator-error.ts'
import { runWithStore } from '../run.ts'
import { needAnnouncement } from './deliveries.ts'
import { listInvitations } from './list-invitations.ts'
import { redeem } from './redeem.ts'
import { revoke } from './revoke.ts'

/** What `invitations` is given on its command line. */
export interface InvitationsArguments {
  readonly redeem?: string
  readonly revoke?: string
  readonly publicKey?: boolean
  readonly newKey?: boolean
  readonly state?: InvitationState
  readonly json?: boolean
  readonly output?: string
}

/** Gives `invitations` its options and its help. */
export function describeInvitations(command: Command): Command {
  const acts = ['redeem', 'revoke', 'publicKey', 'newKey']
  const alone = (option: Option, name: string) =>
    option.conflicts([...acts.filter((one) => one !== name), 'state', 'output'])
  return command
    .description('list the invitations of letters; redeem or revoke one; print the public key')
    .addOption(new Option('--state <state>', 'only those in this state').choices(invitationStates))
    .addOption(alone(new Option('--redeem <email>', 'redeem the code on standard input'), 'redeem'))
    .addOption(
      alone(new Option('--revoke <email>', 'take back the invitations of this address'), 'revoke'),
    )
    .addOption(
      alone(
        new Option('--public-key', 'print the key that your product verifies codes with'),
        'publicKey',
      ),
    )
    .addOption(
      alone(
        new Option('--new-key', 'sign with a new key from now on; codes that were sent are void'),
        'newKey',
      ),
    )
    .addHelpText(
      'after',
      `
A letter with {{invitation}} in it has a code for its reader alone:

  ---
  subject: Your place is ready
  invitation-valid: 30 days
  ---
  [Come in](https://app.example.com/join?code={{invitation}})

Your product verifies the code by itself; docs/invitations.md has the program for that. A code can be
redeemed only once, even if several calls come at the same moment. The command reads it from standard
input, since other users of a machine can see its arguments:

  printf %s "$CODE" | opening-bell invitations --redeem ada@example.com

Exit codes: 0 done, 1 failed, 2 called wrongly, 3 refused: --json says why.`,
    )
}

/** Longer than any link with a code in it. */
const LONGEST_CODE = 4096

/** `invitations`, in each of its ways. */
export async function invitations(
  announcement: string | undefined,
  options: InvitationsArguments,
): Promise<void> {
  const { redeem: reader, revoke: email, publicKey, newKey, json } = options
  const acts = [reader, email, publicKey, newKey].some((one) => one !== undefined)
  if (acts && announcement !== undefined)
    throw new Misuse('An announcement is named only to list its invitations.')
  const code = reader === undefined ? '' : await readCode()
  return runWithStore(options, async (store, out, { signing: place, linkKey }) => {
    if (reader !== undefined) {
      const codes = await signing(store.invitations, place)
      const { of } = addressIds(linkKey)
      const came = (email: string) => noteCame(store, of, [{ email, at: new Date() }])
      const given = { email: reader, code, codes, noteCame: came, json }
      return redeem(store.invitations, given, out)
    }
    if (email !== undefined) return revoke(store.invitations, { email, linkKey, json }, out)
    if (publicKey || newKey) {
      const key = (await (newKey ? signingAnew : signing)(store.invitations, place)).publicKey
      await out.write(json ? `${JSON.stringify({ publicKey: key })}\n` : `${key}\n`)
      if (newKey) out.say('Give this public key to your product: codes of the old key are void.')
      return exitCodes.done
    }
    if (announcement !== undefined) await needAnnouncement(store.ledger, announcement)
    return listInvitations(store.invitations, { ...options, announcement }, out)
  })
}

/** Never an argument, which other users of the machine see. */
async function readCode(): Promise<string> {
  if (process.stdin.isTTY) return askSecret('The code: ')
  let text = ''
  for await (const part of process.stdin.setEncoding('utf8')) {
    text += part
    if (text.length > LONGEST_CODE) throw new OperatorError('That is longer than any code.')
  }
  return text
}
