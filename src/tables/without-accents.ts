/** Text without accents, marks and what has no width, in the usual forms of letters and digits. */
export const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('ß', 'ss')
