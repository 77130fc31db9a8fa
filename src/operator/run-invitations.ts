import type { InvitationsArguments } from './invitations/invitations-command.ts'
import { listInvitations } from './invitations/list-invitations.ts'
import { redeem } from './invitations/redeem.ts'
import { revoke } from './invitations/revoke.ts'
import { signing, signingAnew } from './invitations/signing.ts'
import { runWithStore } from './run.ts'
import { askSecret } from './terminal/ask-secret.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { OperatorError } from './terminal/operator-error.ts'

/** Longer than any link with a code in it. */
const LONGEST_CODE = 4096

/** `invitations`, in each of its ways. */
export async function runInvitations(
  announcement: string | undefined,
  options: InvitationsArguments,
): Promise<void> {
  const { redeem: reader, revoke: email, publicKey, newKey, json } = options
  const acts = [reader, email, publicKey, newKey].some((one) => one !== undefined)
  if (acts && announcement !== undefined)
    throw new OperatorError('Name an announcement to list its invitations, and only for that.')
  const code = reader === undefined ? '' : await readCode()
  return runWithStore(options, async (store, out, { signing: place, linkKey }) => {
    if (reader !== undefined) {
      const codes = await signing(store, place)
      return redeem(store, { email: reader, code, codes, json }, out)
    }
    if (email !== undefined) return revoke(store, { email, linkKey, json }, out)
    if (publicKey || newKey) {
      const key = (await (newKey ? signingAnew : signing)(store, place)).publicKey
      await out.write(json ? `${JSON.stringify({ publicKey: key })}\n` : `${key}\n`)
      if (newKey)
        out.say('Give this public key to your product: it lets nobody in with older codes.')
      return exitCodes.done
    }
    return listInvitations(store, { ...options, announcement }, out)
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
