function(id,height,option){
"use strict";
function library(){
if(window.echarts)return Promise.resolve(window.echarts);
if(!window.mklECharts){
var c=document.getElementById("jupyter-config-data"),base=c?JSON.parse(c.textContent).baseUrl:document.body.getAttribute("data-base-url");
window.mklECharts=base?fetch(base+"kernelspecs/mkl/echarts.min.js").then(function(r){if(!r.ok)throw new Error(r.status);return r.text()}).then(function(t){new Function("define","exports","module",t).call(window);return window.echarts}):Promise.reject(new Error("no server"));
window.mklECharts.catch(function(){window.mklECharts=null});
}
return window.mklECharts;
}
function number(v,powers){
var a=Math.abs(v),p=Number(v.toPrecision(4)).toExponential().split("e"),e=Number(p[1]),t;
if(!a)return"0";
if(powers?!e:e>=-4&&(e<4||a<1e6&&a%1===0))t=a<1e4?String(Number(a.toPrecision(4))):String(a);
else t=(p[0].replace("-","")==="1"?"":p[0].replace("-","")+"×")+"10"+String(e).replace(/./g,function(c){return c==="-"?"⁻":"⁰¹²³⁴⁵⁶⁷⁸⁹"[c]});
return(v<0?"−":"")+t;
}
function writeNumbers(option){
[].concat(option.xAxis||[],option.yAxis||[]).forEach(function(a){
if(a.type==="category"||!a.axisLabel)return;
var powers=a.type==="log"&&(a.min<1e-3||a.max>1e3);
a.axisLabel.formatter=function(v){return number(v,powers)};
a.axisPointer=a.axisPointer||{label:{formatter:function(p){return number(p.value)}}};
});
if(option.visualMap)option.visualMap.formatter=function(v){return number(Number(v.toPrecision(3)))};
}
var pen=document.createElement("canvas").getContext("2d"),family=(option.textStyle||{}).fontFamily||"sans-serif";
function width(text,size,weight){
pen.font=(weight||"normal")+" "+size+"px "+family;
return pen.measureText(text).width;
}
function fitFonts(){
var letters="The weights of 20 kernels, 0.123456789 (RBF)",narrow=Math.min(1,2073/width(letters,100),2156/width(letters,100,"bold"));
(function visit(o){
if(!o||typeof o!=="object")return;
if(Array.isArray(o)){if(typeof o[0]==="object"&&!Array.isArray(o[0]))o.forEach(visit);return}
for(var k in o){
if(k==="fontSize"||k==="lineHeight")o[k]*=narrow;
else if(k==="font")o[k]=o[k].replace(/[\d.]+(?=px)/,function(v){return v*narrow});
else visit(o[k]);
}
})(option);
}
function fitTexts(base){
var g=[].concat(base.grid||[])[0];
[].concat(base.yAxis||[]).forEach(function(a){
if(a.type!=="category"||a.show===false||a.gridIndex||!a.data||!a.axisLabel||!g)return;
var named=[].concat(base.graphic||[]).some(function(t){return t.rotation&&t.x<30});
var size=a.axisLabel.fontSize||12,room=parseFloat(g.left)-(named?32:12),widest=Math.max.apply(null,a.data.map(function(t){return width(t,size)}));
if(widest>room)a.axisLabel.fontSize=Math.max(8,Math.floor(10*size*room/widest)/10);
});
[].concat(base.title||[]).forEach(function(t){
var s=t.textStyle||{};
if(s.width||!s.fontSize)return;
var widest=Math.max.apply(null,t.text.split("\n").map(function(l){return width(l,s.fontSize,s.fontWeight)}));
if(widest>688)s.fontSize*=688/widest;
});
}
var name=((option.title||[])[0]||{}).text||"chart";
name=name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu,"-").replace(/^-|-$/g,"").slice(0,60);
function save(kind,url){
var a=document.createElement("a");
a.href=url;
a.download=name+"."+kind;
a.click();
}
function saveButtons(chart,box){
var bar=document.createElement("div");
bar.className="mkl-save";
["svg","png"].forEach(function(kind){
var b=document.createElement("button");
b.textContent=kind.toUpperCase();
b.title="Save the chart as "+kind.toUpperCase();
b.style.cssText="font-size:10px;padding:0 3px;margin-left:2px;cursor:pointer";
b.onclick=function(){
var url=chart.getDataURL(),size=[2*box.offsetWidth,2*box.offsetHeight];
if(kind==="svg"){save(kind,url);return}
var i=new Image();
i.onload=function(){
var c=document.createElement("canvas"),p=c.getContext("2d");
c.width=size[0];
c.height=size[1];
p.fillStyle="#fff";
p.fillRect(0,0,c.width,c.height);
p.drawImage(i,0,0,c.width,c.height);
save(kind,c.toDataURL("image/png"));
};
i.src=url;
};
bar.appendChild(b);
});
return bar;
}
function draw(echarts,e){
var img=e.querySelector("img");
if(!img||e.getAttribute("data-live"))return;
var box=document.createElement("div"),chart=null;
var wide=Number(img.getAttribute("width"));
box.style.cssText="width:"+wide+"px;height:"+height+"px;transform-origin:0 0";
box.setAttribute("role","img");
box.setAttribute("aria-label",img.alt);
img.style.display="none";
e.appendChild(box);
try{
option.animation=false;
writeNumbers(option);
fitFonts();
fitTexts(option);
chart=echarts.init(box,null,{renderer:"svg",width:wide,height:height});
chart.setOption(option);
box.querySelector("svg").setAttribute("viewBox","0 0 "+wide+" "+height);
}catch(x){
if(chart)chart.dispose();
box.remove();
img.style.display="block";
e.setAttribute("data-live","failed");
return;
}
img.remove();
e.style.position="relative";
e.appendChild(saveButtons(chart,box));
e.setAttribute("data-live","1");
var fit=function(){
if(!e.clientWidth)return;
var s=Math.max(.85,Math.min(1,e.clientWidth/wide));
box.style.transform=s<1?"scale("+s+")":"";
box.style.marginBottom=(s-1)*height+"px";
};
fit();
new ResizeObserver(fit).observe(e);
}
function whenSeen(echarts,e){
if(e.clientWidth){draw(echarts,e);return}
var o=new ResizeObserver(function(){if(e.clientWidth){o.disconnect();draw(echarts,e)}});
o.observe(e);
}
library().then(function(echarts){
if(echarts)document.querySelectorAll('[id="'+id+'"]').forEach(function(e){whenSeen(echarts,e)});
}).catch(function(){});
}
