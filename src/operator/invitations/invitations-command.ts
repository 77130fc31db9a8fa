import { type Command, Option } from 'commander'
import { type InvitationState, invitationStates } from '../../store/invitations.ts'

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
    .description('list who was let in by a letter; redeem, revoke; print the public key')
    .addOption(new Option('--state <state>', 'only those').choices(invitationStates))
    .addOption(
      alone(
        new Option('--redeem <email>', 'use up the code that comes on standard input'),
        'redeem',
      ),
    )
    .addOption(
      alone(new Option('--revoke <email>', 'take back what was sent to this address'), 'revoke'),
    )
    .addOption(
      alone(new Option('--public-key', 'print what your product verifies codes with'), 'publicKey'),
    )
    .addOption(
      alone(
        new Option('--new-key', 'sign with another key from now on; what has left is void'),
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

Your product verifies it without asking us. docs/invitations.md has the code for that. A code is
redeemed once, however many ask at the same moment; it is read from standard input, since other
users of a machine see the arguments of a command:

  printf %s "$CODE" | opening-bell invitations --redeem ada@example.com

Exit codes: 0 done, 1 failed, 2 called wrongly, 3 refused: --json says why.`,
    )
}
