export const ONE_PER_CENT = '1%'

/** Whom a run of an announcement is for, what it does, and the options of the command for it. */
export const letterStages = {
  'one-per-cent': {
    title: 'One per cent first',
    hint: 'About one in a hundred, the earliest sign-ups. Then wait, and look at complaints and replies.',
    options: [`--first=${ONE_PER_CENT}`],
  },
  everyone: { title: 'Everyone', hint: 'Nobody gets it twice, even after a crash.', options: [] },
  newcomers: {
    title: 'Those new since the letter began',
    hint: 'Those who signed up, or left the quarantine, since the letter began.',
    options: ['--include-new'],
  },
  failed: {
    title: 'Again: those for whom it failed',
    hint: 'Only if the cause was on your side, and is gone.',
    options: ['--retry=failed'],
  },
  uncertain: {
    title: 'Again: those who may have it',
    hint: 'Look into your provider’s log first: they may get it twice.',
    options: ['--retry=uncertain'],
  },
} as const

export type LetterStage = keyof typeof letterStages
