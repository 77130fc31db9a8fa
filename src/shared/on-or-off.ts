/** How a setting that is on or off is read. */
export const onOrOff = (text: string) => (text === 'on' ? true : text === 'off' ? false : undefined)
