import { describe, expect, test } from 'vitest';
import { Hours } from '../../policy/hours.ts';

describe('weekly spans', () => {
  test.each([
    // 2026-11-23 is a Monday.
    ['mon-fri 08:00-18:00 Asia/Tokyo', '2026-11-23T08:00:00+09:00', true],
    ['mon-fri 08:00-18:00 Asia/Tokyo', '2026-11-23T07:59:59+09:00', false],
    ['mon-fri 08:00-18:00 Asia/Tokyo', '2026-11-23T17:59:59+09:00', true],
    ['mon-fri 08:00-18:00 Asia/Tokyo', '2026-11-23T18:00:00+09:00', false],
    ['mon-fri 08:00-18:00 Asia/Tokyo', '2026-11-22T12:00:00+09:00', false],
    ['mon-fri 08:00-18:00 Asia/Tokyo', '2026-11-22T23:30:00Z', true],
    ['08:00-18:00', '2026-11-22T08:00:00Z', true],
    ['daily 8:00-18:00 UTC', '2026-11-22T08:00:00Z', true],
    ['mon,wed-thu 00:00-24:00', '2026-11-24T12:00:00Z', false],
    ['mon,wed-thu 00:00-24:00', '2026-11-26T23:59:59Z', true],
    ['sat-mon 00:00-24:00', '2026-11-22T12:00:00Z', true],
    ['sat-mon 00:00-24:00', '2026-11-24T12:00:00Z', false],
    // Over midnight, the morning belongs to the previous day.
    ['fri 22:00-06:00', '2026-11-27T23:00:00Z', true],
    ['fri 22:00-06:00', '2026-11-28T05:59:00Z', true],
    ['fri 22:00-06:00', '2026-11-27T05:00:00Z', false],
    ['fri 22:00-06:00', '2026-11-28T06:00:00Z', false],
    ['fri 08:00-08:00', '2026-11-28T07:59:00Z', true],
    ['fri 08:00-08:00', '2026-11-28T08:00:00Z', false],
    // Summer time begins at 01:00 UTC on 2026-03-29 and ends on 2026-10-25.
    ['sun 03:00-04:00 Europe/Berlin', '2026-03-29T01:30:00Z', true],
    ['sun 02:00-03:00 Europe/Berlin', '2026-03-29T01:30:00Z', false],
    ['mon 09:00-10:00 Europe/Berlin', '2026-10-26T08:30:00Z', true],
    ['mon 09:00-10:00 Asia/Kathmandu', '2026-11-23T03:15:00Z', true],
  ])('%s at %s: %s', (text, moment, expected) => {
    expect(new Hours(text).has(new Date(moment))).toBe(expected);
  });

  test.each([
    ['mon-fry 08:00-18:00', 'names an unknown day'],
    ['mun-fri 08:00-18:00', 'names an unknown day'],
    ['mon,tux 08:00-18:00', 'names an unknown day'],
    ['08:60-09:00', 'has a time outside 00:00-24:00'],
    ['08:00-24:01', 'has a time outside 00:00-24:00'],
    ['08:00-18:00 Mars/Olympus', 'names an unknown time zone'],
    ['at 08:00-18:00', 'is not a weekly time range'],
    ['only mon 08:00-18:00', 'is not a weekly time range'],
    ['08:00-18:00 UTC or so', 'is not a weekly time range'],
    ['mon08:00-18:00', 'is not a weekly time range'],
  ])('%s %s', (text, why) => {
    expect(() => new Hours(text)).toThrow(`"${text}" ${why}; write it as "mon-fri 08:00-18:00 Asia/Tokyo".`);
  });

  test.each([
    ['  MON  08:00-18:00   asia/tokyo ', '2026-11-23T08:00:00+09:00', true],
    ['mon 22:30-06:45', '2026-11-23T22:30:00Z', true],
    ['mon 22:30-06:45', '2026-11-23T22:29:59Z', false],
    ['mon 22:30-06:45', '2026-11-24T06:44:59Z', true],
    ['mon 22:30-06:45', '2026-11-24T06:45:00Z', false],
    ['mon 00:59-23:59', '2026-11-23T00:59:00Z', true],
  ])('%s at %s: %s, to the minute', (text, moment, expected) => {
    expect(new Hours(text).has(new Date(moment))).toBe(expected);
  });

  test('a result is cached for its minute only', () => {
    const hours = new Hours('08:00-08:01');
    const answers = ['07:59:59', '08:00:00', '08:00:59', '08:01:00', '08:00:30'].map((time) =>
      hours.has(new Date(`2026-11-23T${time}Z`)),
    );
    expect(answers).toEqual([false, true, true, false, true]);
  });

  test.each([
    '',
    'always',
    'mon-fry 08:00-18:00',
    '8-18',
    '25:00-26:00',
    '08:60-09:00',
    '08:00-18:00 Mars/Olympus',
    'mon',
  ])('refuses %j', (text) => {
    expect(() => new Hours(text)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
