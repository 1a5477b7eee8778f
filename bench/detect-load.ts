/**
 * One fresh process of `detect.ts`: loads the engine, searches a text that asks every list, and prints what that took as
 * JSON: milliseconds of CPU time, and megabytes of memory above those of the process before.
 */
const before = process.memoryUsage();
const start = process.cpuUsage();

function cpuMs(): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const { Detector } = await import('../core/detection.ts');
const loadedMs = cpuMs();
const detector = new Detector();
detector.detect(
  'Emily Harrington, 4800 Pine Ave, Reno, NV 89501. 氏名：高橋 美咲、ヤマダ タロウ、マイケル・ジョーンズ、東京都港区架空町1-2-3、株式会社架空商事、090-1234-5678',
);
const readyMs = cpuMs();
const after = process.memoryUsage();
const megabytes = (bytes: number) => bytes / 1e6;
console.log(
  JSON.stringify({
    loadedMs,
    readyMs,
    rss: megabytes(after.rss - before.rss),
    heap: megabytes(after.heapUsed + after.external - before.heapUsed - before.external),
  }),
);
