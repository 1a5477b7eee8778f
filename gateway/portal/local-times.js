// Shows the moments of a page in the time zone of the reader; without this they are in UTC.
for (const time of document.querySelectorAll('time[data-style]')) {
  const style = time.dataset.style === 'minute' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'long' };
  const locale = document.documentElement.lang === 'ja' ? 'ja-JP' : 'en-GB';
  time.textContent = new Intl.DateTimeFormat(locale, style).format(new Date(time.dateTime));
}
