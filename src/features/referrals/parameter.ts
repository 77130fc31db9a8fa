/** What a personal link names the code of its owner by. */
export const CODE_PARAMETER = 'by'
