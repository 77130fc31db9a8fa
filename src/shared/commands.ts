/** What only a terminal can do and several faces name: the commands, without the tool's name. */
export const commands = {
  forgetEverybody: 'forget --everybody',
  listIsRight: 'restore --list-is-right',
} as const
