/** Postal addresses of China, Taiwan and Korea: a region, a street and the number of the house. */
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const name = 'address-east';
/** Characters of place names: none of the words that stand before them, such as 住在 and 地址是. */
const han = '(?:(?![在于於是到址为為至给給从從住寄送往])[\\u3400-\\u9fff])';
const figure = '(?:[A-Z]|[0-9]{1,4}|[一二三四五六七八九十]{1,3})';
const room = `(?:${figure}(?:号楼|號樓|栋|棟|幢|单元|單元|層|层|楼|樓|室|座|户)(?:之[0-9]{1,2})?)`;
const region = `(?:${han}{2,7}[省市州縣县區区盟旗]){1,4}(?:${han}{1,8}[镇鎮乡鄉村里]){0,2}`;
const street = `(?:${han}|[0-9]){1,10}?(?:路|街|大道|道|巷|弄|胡同|[镇鎮村])(?:[一二三四五六七八九十东西南北中東]{1,2}[段路街])?`;
const house = '[0-9]{1,5}(?:[-之][0-9]{1,3})?[号號弄](?:[0-9]{1,4}号)?';
const china = new RegExp(`${region}${street}${house}(?:${han}{0,8}${room}){0,4}`, 'g');
const provinces = '(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주)';
const koreanRegion = `(?:${provinces} |[가-힣]{1,5}(?:특별시|광역시|특별자치시|특별자치도|도|시) ){0,2}(?:[가-힣]{1,6}[시군구읍면] ){1,3}`;
const koreanStreet =
  '[가-힣]{1,8}[0-9]{0,3}(?:로|길|동|리|가)(?: ?[0-9]{1,3}번?길)? ?[0-9]{1,4}(?:-[0-9]{1,4})?(?:번지)?';
const koreanRoom = '(?:,? ?(?:[가-힣A-Za-z]{1,14} ?)?[0-9]{1,4}(?:동|호|층)){0,3}';
const korea = new RegExp(`${koreanRegion}${koreanStreet}${koreanRoom}`, 'g');
const reach = 60;

/** Looks before digits with the word for a house behind them, or a street before them. */
export const addressEast: Recognizer = {
  name,
  type: 'ADDRESS',
  anchors: ['号', '號', '로 ', '길 ', '동 '],
  trigger: ({ keywords }) => keywords.has(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const { start } of text.keywords.anchors(name)) {
      if (start < (found.at(-1)?.end ?? 0)) continue;
      const pattern = text.shadow.charCodeAt(start) < 0xac00 ? china : korea;
      const range = { start: Math.max(found.at(-1)?.end ?? 0, start - reach), end: start + 1, before: 0, after: reach };
      const match = matchesIn(text.shadow, pattern, range).find((one) => one.end > start);
      if (match !== undefined)
        found.push(detectionAt(text, match.start, match.end, { type: 'ADDRESS', score: 0.85, recognizer: name }));
    }
    return found;
  },
  samples: {
    match: [
      ['我住在上海市浦东新区张江路665号3幢502室。', '上海市浦东新区张江路665号3幢502室'],
      ['地址：台北市大安區忠孝東路四段216號5樓', '台北市大安區忠孝東路四段216號5樓'],
      ['서울특별시 강남구 테헤란로 152, 1204호', '서울특별시 강남구 테헤란로 152, 1204호'],
    ],
    noMatch: ['上海市浦东新区2023年人口', '第665号文件', '강남구 인구는 2023년 기준 54만 명'],
  },
};
