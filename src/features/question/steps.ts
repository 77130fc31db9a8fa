/** Of the page that asks a question after a sign-up or by a letter. */
export const replySteps = [
  'ask',
  'letter',
  'wrong',
  'done',
  'ended',
  'broken',
  'unavailable',
] as const

export type ReplyStep = (typeof replySteps)[number]
