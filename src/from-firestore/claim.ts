import { randomBytes, randomUUID } from 'node:crypto'
import { type Claim, type CollectState, InboxTaken, type ReadClaim } from '../store/inbox.ts'
import { isPast, type MayCollect, mayCollect } from '../store/inbox-rules.ts'
import { type CollectOptions, known, type Taking } from './collect-options.ts'

/*
 * Which list takes in, and who said no: both stand at Google, where no visitor can read them.
 */

const NOES_AT_ONCE = 300
/** How often a list says that it still takes in. */
const CLAIM_MS = 600_000

/** @returns the claim of this list, as it is now. @throws InboxTaken, StoreUnavailable */
export async function claimed(taking: Taking, options: CollectOptions = {}): Promise<ReadClaim> {
  for (;;) {
    const claim = await taking.inbox.claim()
    const own = await taking.collecting.state()
    const may = mayCollect(claim, own)
    if (claim && may === 'own') return claim
    if (claim && !options.takeOver) throw new InboxTaken(refusal(claim, may, own))
    if (claim) options.takesOver?.(claim, own?.noes ?? 0)
    await claimAnew(taking, claim, own)
  }
}

/** @param before of the list whose place it takes, if there is one. */
async function claimAnew(
  { inbox, collecting, machine }: Taking,
  before: ReadClaim | undefined,
  own: CollectState | undefined,
) {
  // A list that was stopped here knows its own claim; one that looked elsewhere begins anew.
  const first = own?.at === 0 ? own : newState(1, 0, randomBytes(32).toString('base64url'))
  const begun = before ? newState(before.generation + 1, before.noes, before.key) : first
  await collecting.begin(begun)
  for (let last: string | undefined; ; ) {
    const noes = await inbox.noes(last)
    if (noes.length === 0) break
    await collecting.keepNoes(noes)
    last = noes.at(-1)?.key
  }
  await collecting.applyNoes()
  // Refused where a no came meanwhile: then all of this is done again.
  await inbox.writeClaim(claimOf(begun, machine), before)
}

/** Claims the inbox, or says that the claim still holds, and tells all noes of this list. */
export async function begin(taking: Taking, options: CollectOptions): Promise<void> {
  const { inbox, machine } = taking
  let claim = await claimed(taking, options)
  if (isPast(claim.at.getTime(), CLAIM_MS, Date.now())) {
    await inbox.writeClaim(claimOf(await known(taking), machine), claim)
    claim = await claimed(taking)
  }
  await tellNoes(taking, claim)
}

/** Keeps the noes at Google that are not there yet. */
export async function tellNoes(taking: Taking, claim?: ReadClaim): Promise<void> {
  const { inbox, collecting, machine } = taking
  for (let before = claim; ; before = undefined) {
    const noes = await collecting.untoldNoes(NOES_AT_ONCE)
    if (noes.length === 0) return
    before ??= await claimed(taking)
    const { noes: told } = await known(taking)
    // Before they are told, so that a list that is stopped here is not behind its own claim.
    await collecting.change({ noes: Math.max(told, before.noes + noes.length) })
    if (await inbox.keepNoes(noes, claimOf(await known(taking), machine), before))
      await collecting.noteTold(noes)
  }
}

const newState = (generation: number, noes: number, key: string): CollectState => ({
  list: randomUUID(),
  generation,
  noes,
  key,
  at: 0,
  lookedAt: {},
  lastReads: 0,
})

function claimOf({ list, generation, noes, key }: CollectState, machine: string): Claim {
  return { list, generation, noes, key, machine, at: new Date() }
}

function refusal(
  { machine, at, noes }: Claim,
  may: MayCollect,
  own: CollectState | undefined,
): string {
  const last = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (may === 'other') return `Firestore is taken in by the list on ${machine}, last at ${last}.`
  return `This list knows of ${own?.noes ?? 0} who said no, and Firestore of ${noes}: it is an older copy of the list on ${machine}, which took in last at ${last}.`
}
