/** Eight digits that are a day of the last or this century, as `20240131`: no number of a card or an account. */
export const calendarDate = /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$/;
